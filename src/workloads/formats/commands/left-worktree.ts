// Whether a command line leaves the worktree: by `cd`, followed from command to command, or by a flag that names a folder.
import { type SimpleCommand, shellScript, simpleCommands } from './simple-commands.ts'

/** `from`: how deep in the worktree it begins. Where exactly does not matter: only `..` leads out. */
export function leavesWorktree(commands: readonly SimpleCommand[], from = 0): boolean {
  // One for each `(` that is open: what is changed within brackets is as before behind them.
  const shells: Shell[] = []
  let shell: Shell = { depth: from, before: from }
  for (const { words, brackets } of commands) {
    for (const bracket of brackets) {
      if (bracket === '(') shells.push({ ...shell })
      else shell = shells.pop() ?? shell
    }
    const script = shellScript(words)
    if (script !== null && leavesWorktree(simpleCommands(script), shell.depth)) return true
    const depth = changedTo(words, shell)
    if (depth === null || namesOutside(words, shell.depth)) return true
    if (CHANGES.has(words[0] ?? '')) shell = { depth, before: shell.depth }
  }
  return false
}

type Shell = { depth: number; before: number }

const CHANGES = new Set(['cd', 'pushd', 'popd'])

/** Where the next command is run; null: outside. */
function changedTo([program = '', ...rest]: readonly string[], { depth, before }: Shell): number | null {
  if (program === 'popd') return before
  if (!CHANGES.has(program)) return depth
  const to = rest.find((word) => !/^-./.test(word))
  // Alone it leads home.
  return to === '-' ? before : within(depth, to ?? '~')
}

/** Null: it leads out of the worktree. An absolute path is somebody's checkout. */
function within(depth: number, path: string): number | null {
  if (/^(?:\/|~|\$\{?HOME\b|[A-Za-z]:[\\/])/.test(path)) return null
  let deep = depth
  for (const name of path.split('/')) {
    if (name === '..') deep--
    else if (name !== '' && name !== '.') deep++
    if (deep < 0) return null
  }
  return deep
}

function namesOutside(words: readonly string[], depth: number): boolean {
  return words.some((word, at) => {
    const [flag = '', value = words[at + 1] ?? ''] = word.split('=', 2)
    return FOLDER_FLAGS.has(flag) && within(depth, value) === null
  })
}

const FOLDER_FLAGS = new Set([
  '-C',
  '--prefix',
  '--cwd',
  '--manifest-path',
  '--rootDir',
  '--project-dir',
  '--directory',
])
