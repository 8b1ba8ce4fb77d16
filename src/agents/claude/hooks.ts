// The settings file that an attempt hands to Claude Code: hooks, added to those of the user. None of it is needed: a write
// outside the claims is found after the attempt anyway.
import { programCommand } from '../../files/package-file.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { HookFiles } from '../agent.ts'

export function claudeHooks({ mayWrite, worktree, heartbeat, sessionEnd }: HookFiles): string {
  const hooks = {
    ...(mayWrite === null
      ? {}
      : { PreToolUse: [{ matcher: WRITING, ...runs(shell(...programCommand('claim-hook'), mayWrite, worktree)) }] }),
    // Not before a tool too: Claude Code prints what it is about to do.
    PostToolUse: [{ matcher: '*', ...runs(`echo > ${shell(heartbeat)}`) }],
    // By rename: whoever reads it finds all of it.
    SessionEnd: [runs(`cat > ${shell(`${sessionEnd}.tmp`)} && mv ${shell(`${sessionEnd}.tmp`, sessionEnd)}`)],
  }
  return JSON.stringify({ hooks }, null, 2)
}

/** A shell command can write too, but nobody can tell where from its words. */
const WRITING = 'Write|Edit|MultiEdit|NotebookEdit'

function runs(command: string): object {
  return { hooks: [{ type: 'command', command, timeout: HOOK_S }] }
}

/** For a machine that is busy. One that takes longer is given up by Claude Code, and the tool goes on. */
const HOOK_S = 30

function shell(...words: string[]): string {
  return words.map(shellWord).join(' ')
}
