// Hook that Claude Code runs before it writes a file: `node claim-hook MAY-WRITE-FILE WORKTREE`, with the call as JSON
// on standard input. Silence allows it.
//
// It has to start fast, so it imports nothing that takes time to load. In doubt (a missing or broken file, an unknown
// call) it allows: the check after the attempt has the last word anyway, and an agent that can write nothing at all
// would be of no use.
import { readFileSync } from 'node:fs'
import { outsideClaims } from './outside-claims.ts'

const [file = '', worktree = ''] = process.argv.slice(2)
try {
  const { enforce, write } = JSON.parse(readFileSync(file, 'utf8'))
  const outside = enforce === true ? outsideClaims(pathsOf(JSON.parse(readFileSync(0, 'utf8'))), write, worktree) : []
  if (outside.length > 0) process.stdout.write(JSON.stringify(denial(outside, write)))
} catch {
  // allowed, see above
}

function pathsOf({ tool_input }: { tool_input?: Record<string, unknown> }): string[] {
  return [tool_input?.file_path, tool_input?.notebook_path].filter((path) => typeof path === 'string')
}

function denial(outside: string[], write: string[]): object {
  const may = write.length > 0 ? `only ${write.join(', ')}` : 'nothing, it only reads'
  const permissionDecisionReason = `${outside.join(', ')} is outside the claims of this task, which may write ${may}. Find a way within these. If the task cannot be done without it, ask for it with the tool \`request_claim\` where you have that, or say so in your last message.`
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }
}
