// The entry of the command line. Loads as little as possible: `--version` needs nothing else.
import { readFileSync } from 'node:fs'
import { EXIT } from './exit-status.ts'
import { processSurroundings } from './surroundings.ts'
import { endByHangUp, isHangUp } from './terminal/hang-up.ts'

export async function main(argv: string[]): Promise<void> {
  const isTerminalGone = tolerateClosedOutput(argv)
  process.on('uncaughtException', (error) => {
    process.stderr.write(unexpected(error, Boolean(process.env.ESPALIER_DEBUG)))
    process.exit(EXIT.failed) // agents keep running under their supervisors: `espalier resume` adopts them
  })
  if (argv.length === 3 && (argv[2] === '--version' || argv[2] === '-V')) {
    process.stdout.write(`${version()}\n`)
    return
  }
  try {
    // Starts early, in parallel with loading the rest: it takes as long as this process did.
    using _runner = hasAgents(argv) ? (await import('../git/run/runner-client.ts')).useGitRunner() : null
    const { runProgram } = await import('./program.ts')
    process.exitCode = await runProgram(argv, version(), processSurroundings())
    if (isTerminalGone()) endByHangUp()
    // Work of an aborted request may keep the process alive after the server has stopped.
    if (argv[2] === 'serve' || argv[2] === 'ui') setTimeout(() => process.exit(), SERVER_END_MS).unref()
  } catch (error) {
    const isTraced = Boolean(process.env.ESPALIER_DEBUG)
    process.stderr.write((isTraced ? null : await troubleOfMachine(error)) ?? unexpected(error, isTraced))
    // Something may still keep this process alive: a timer, a socket, an agent's output.
    await Promise.all([process.stdout, process.stderr].map(flushed))
    process.exit(EXIT.failed)
  }
}

const SERVER_END_MS = 2_000

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

/** Null: not an environment error, or the check itself failed. */
async function troubleOfMachine(error: unknown): Promise<string | null> {
  try {
    const { isMachineTrouble, machineTroubleText } = await import('../git/run/machine-trouble.ts')
    return isMachineTrouble(error) ? `espalier: ${machineTroubleText(error)}\n` : null
  } catch {
    return null
  }
}

/** Expected problems never come here: this is a bug of Espalier, or an environment error. */
function unexpected(error: unknown, trace: boolean): string {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (trace) return `espalier: ${stack ?? message}\n`
  const said = message.split('\n', 1)[0]
  return `espalier: unexpected ${name}: ${said} (ESPALIER_DEBUG=1 shows where)\n`
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/**
 * `espalier … | head` closes our output early. A command that only prints ends there; a run continues, because its agents
 * are working, and says so once. The same for a closed terminal, without the message, and a signal may come too.
 */
function tolerateClosedOutput(argv: string[]): () => boolean {
  let told = false
  let isTerminalGone = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    isTerminalGone ||= isHangUp(process.stdout, error)
    if (isTerminalGone && !hasAgents(argv)) endByHangUp()
    if (isTerminalGone) return
    if (error.code !== 'EPIPE') throw error
    if (!hasAgents(argv)) process.exit(EXIT.done)
    if (!told) process.stderr.write('the output was closed; the run continues, Ctrl-C stops it\n')
    told = true
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    isTerminalGone ||= isHangUp(process.stderr, error)
    if (error.code !== 'EPIPE' && !isTerminalGone) throw error
  })
  return () => isTerminalGone
}

function hasAgents([, , command = '', sub, ...rest]: string[]): boolean {
  if ([sub, ...rest].some((word) => word === '--help' || word === '-h')) return false
  return (
    ['run', 'resume', 'retry', 'demo'].includes(command) ||
    (command === 'plan' && sub === 'new') ||
    (command === 'search' && sub === 'run')
  )
}
