// Whether a command of somebody's plan can be a gate. A gate is run in the worktree of its task after every attempt, with nobody
// there to see it, while gates of other tasks run beside it; its exit status decides about the work. So what changes something
// outside of the worktree, what does not end by itself and what is run elsewhere is told to the agent and not run.
import { leavesWorktree } from './left-worktree.ts'
import { operandsOf, programOf } from './operands.ts'
import { outsideEffect } from './outside-effects.ts'
import { realCommands } from './real-command.ts'
import { type SimpleCommand, shellScript, simpleCommands } from './simple-commands.ts'
import { neverEnds } from './unending.ts'

/** A command that is told and not run; `why` goes on behind "it". */
export type NotRun = { command: string; why: string }

export type Gate = { run: string } | { notRun: NotRun }

export function gateOf(command: string): Gate {
  const why = whyNoGate(command)
  return why === null ? { run: command } : { notRun: { command, why } }
}

/** Null: it can be one. */
export function whyNoGate(line: string): string | null {
  const written = simpleCommands(line)
  if (leavesWorktree(written)) return 'is run in a folder outside of the worktree'
  const commands = written.flatMap(inside)
  if (commands.some(isShellAlone) && commands.some(isFetch)) return 'runs what it fetches from elsewhere'
  if (commands.some((command) => isLeftRunning(command, commands))) return 'does not end by itself'
  const effects = commands.flatMap(({ words }) => realCommands(words)).map(outsideEffect)
  return effects.find((effect) => effect !== null) ?? null
}

/** What is said of it, where it was to be a check. */
export function notRunText({ command, why }: NotRun): string {
  const [first = '', ...more] = command.trim().split('\n')
  const shown = first.length > MAX_SHOWN ? `${first.slice(0, MAX_SHOWN)}…` : more.length > 0 ? `${first} …` : first
  return `\`${shown}\` is told to the agent, not run as a check: it ${why}`
}

/** `bash -c "npm test"` is `npm test`. */
function inside(command: SimpleCommand): SimpleCommand[] {
  const script = shellScript(command.words)
  return script === null ? [command] : simpleCommands(script)
}

const MAX_SHOWN = 100

/** `curl … | bash`: what it runs it is given by another. */
function isShellAlone({ words }: SimpleCommand): boolean {
  const [program] = words
  return (
    /^(?:ba|z|da)?sh$/.test(program ?? '') && operandsOf(words).length === 0 && !words.some((word) => /^<</.test(word))
  )
}

function isFetch({ words }: SimpleCommand): boolean {
  return /^(?:curl|wget)$/.test(programOf(words))
}

/** In the background it is meant to be ended: then somebody has to. */
function isLeftRunning({ words, isInBackground }: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  if (words[0] === 'timeout' || !realCommands(words).some(neverEnds)) return false
  return !(isInBackground && all.some(({ words: [program] }) => program === 'kill'))
}
