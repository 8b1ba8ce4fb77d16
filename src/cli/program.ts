// The command line. commands.ts lists the commands; each has its flags, help text and action in a file of its own.
import { Command, CommanderError } from 'commander'
import { Resources } from '../async/resources.ts'
import type { Calls } from './command-line/command.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { helpWidth, type Surroundings } from './surroundings.ts'
import { wrappedHelp } from './terminal/wrapped-help.ts'

/** Carries out a command line. Wrong usage has been explained on stderr when this resolves. */
export async function runProgram(
  argv: string[],
  version: string,
  outside: Omit<Surroundings, 'version' | 'resources'>,
): Promise<ExitStatus> {
  await using resources = new Resources()
  const surroundings = { ...outside, version, resources }
  let status: ExitStatus = EXIT.done
  const finish = (result: ExitStatus): void => {
    status = result
  }
  try {
    const withRare = asksForRare(argv)
    const words = withRare ? argv.filter((word) => word !== '--all') : argv
    // `help plan show` and `plan help show` explain `plan show`.
    const called = argv.slice(2).filter((word) => word !== 'help')
    const program = await commandLine({ surroundings, finish, withRare }, called)
    await program.parseAsync(words)
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.done : EXIT.badInput
  }
}

/** All commands with all their flags, for the reference and for shells. */
export function wholeCommandLine(surroundings: Surroundings): Promise<Command> {
  return commandLine({ surroundings, finish: () => {}, withRare: true }, null)
}

/** Loads flags and action of the called command; the others have only their line in --help. `called`: null for all. */
async function commandLine(known: Omit<Calls, 'wholeCommandLine'>, called: readonly string[] | null): Promise<Command> {
  const { surroundings } = known
  const calls = { ...known, wholeCommandLine: () => wholeCommandLine(surroundings) }
  const program = new Command('espalier')
    .description('Runs many coding agents in parallel on one git repository and collects their work on one branch.')
    .version(surroundings.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain this command')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('(--help says what is possible)')
    .configureHelp({ subcommandTerm })
    .configureOutput({
      writeOut: (text) => void surroundings.out.write(wrappedHelp(text, helpWidth(surroundings.out))),
      writeErr: (text) => void surroundings.err.write(text),
      getOutHelpWidth: () => helpWidth(surroundings.out),
      getErrHelpWidth: () => helpWidth(surroundings.err),
    })
    .addHelpText('after', HELP)
  for (const [heading, rows] of Object.entries(COMMANDS))
    for (const [usage, description, load] of rows) {
      const [first = '', second] = wordsOf(usage)
      const parent = second === undefined ? program : (program.commands.find((one) => one.name() === first) ?? program)
      const name = second ?? first
      const isDefault = second === 'list'
      const command = parent
        .command(second === undefined ? usage : usage.slice(first.length + 1), { isDefault })
        .description(description)
      if (parent === program) command.helpGroup(heading)
      const isCalled =
        called === null || (called[0] === first && (second === undefined || called[1] === second || isDefault))
      if (load && (isCalled || name === 'help')) (await load()).commands[name]?.(command, calls)
    }
  return program
}

function wordsOf(usage: string): string[] {
  return usage.split(' ').filter((word) => /^\w/.test(word))
}

/** The term in a list of commands: without `[options]`, which nearly all have. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}...` : one.name()
    return one.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...words].join(' ')
}

/** `--all` beside `--help` asks for the rare flags. Without it, a command may have a flag of that name. */
function asksForRare(argv: readonly string[]): boolean {
  return argv.includes('--all') && (argv.includes('--help') || argv.includes('-h') || argv[2] === 'help')
}

const HELP = `
Examples:
  espalier init                  write a first plan for this repository
  espalier run -j 4              run it, four tasks at a time
  espalier status --watch        follow it from another terminal
  espalier land                  bring the result onto your branch

\`espalier COMMAND --help\` explains a command: \`run --help\` has the exit statuses, \`status --help\` the symbols of tasks.`
