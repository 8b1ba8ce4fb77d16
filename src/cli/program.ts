// The command line. Names, flags and help of the commands are in command-line/; what a command does is in commands/, loaded
// only when it is called.
import { Argument, Command, CommanderError } from 'commander'
import { Resources } from '../async/resources.ts'
import type { Calls } from './command-line/calls.ts'
import { addClaimsCommands } from './command-line/claims-commands.ts'
import { help } from './command-line/help.ts'
import { arrangeHelp, asksForRare, subcommandTerm } from './command-line/help-groups.ts'
import { addLearningCommands } from './command-line/learning-commands.ts'
import { addPlanCommands } from './command-line/plan-commands.ts'
import { addResultCommands } from './command-line/result-commands.ts'
import { addRunCommands } from './command-line/run-commands.ts'
import { addSearchCommands } from './command-line/search-commands.ts'
import { addServerCommands } from './command-line/server-commands.ts'
import { addSetupCommands } from './command-line/setup-commands.ts'
import { addStoreCommands } from './command-line/store-commands.ts'
import { addSuiteCommands } from './command-line/suite-commands.ts'
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
    await commandLine({ surroundings, finish }, argv[2] ?? '', withRare).parseAsync(words)
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.done : EXIT.badInput
  }
}

/** `names`: of the commands that it adds. */
export const GROUPS: readonly { names: readonly string[]; add: (program: Command, calls: Calls) => void }[] = [
  { names: ['run', 'resume', 'retry', 'status', 'cancel'], add: addRunCommands },
  { names: ['claims'], add: addClaimsCommands },
  {
    names: ['resolve', 'show', 'diff', 'logs', 'sessions', 'trace', 'report', 'land', 'clean'],
    add: addResultCommands,
  },
  { names: ['suite', 'open'], add: addSuiteCommands },
  { names: ['plan', 'prompt'], add: addPlanCommands },
  { names: ['search'], add: addSearchCommands },
  { names: ['expertise', 'models'], add: addLearningCommands },
  { names: ['ui', 'serve', 'tokens', 'worker', 'workers', 'projects'], add: addServerCommands },
  { names: ['store'], add: addStoreCommands },
  { names: ['doctor', 'mcp', 'init', 'config', 'demo'], add: addSetupCommands },
]

/** With the group of the command that was called and no other, because making all of them takes a while. */
function commandLine(calls: Calls, called: string, withRare: boolean): Command {
  const { surroundings } = calls
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
  const group = GROUPS.find(({ names }) => names.includes(called))
  for (const { add } of group ? [group] : GROUPS) add(program, calls)
  addHelpCommand(program)
  addCompletionCommand(program, calls)
  arrangeHelp(program, withRare)
  return program
}

/** All commands with all their flags, for the reference. */
export function wholeCommandLine(calls: Calls): Command {
  return commandLine(calls, '', true)
}

/** The one that comes with the parser knows only commands of one word, and takes `help plan show` for `help plan`. */
function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('explain a command')
    .argument('[command...]')
    .action((words: string[]) => {
      let command = program
      for (const word of words) {
        const found = command.commands.find((one) => one.name() === word)
        if (!found) return program.error(`error: unknown command '${words.join(' ')}'`)
        command = found
      }
      command.outputHelp()
    })
}

function addCompletionCommand(program: Command, calls: Calls): void {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      help(
        'Made from the commands themselves.',
        '0.',
        'source <(espalier completion bash)    in ~/.bashrc; the same with zsh in ~/.zshrc',
        'espalier completion fish > ~/.config/fish/completions/espalier.fish',
      ),
    )
    .action(async (shell) => {
      const { completion } = await import('./terminal/completion.ts')
      calls.finish(completion(shell, wholeCommandLine(calls), calls.surroundings))
    })
}

const HELP = `
Examples:
  espalier init                  write a first plan for this repository
  espalier run -j 4              run it, four tasks at a time
  espalier status --watch        follow it from another terminal
  espalier land                  bring the result onto your branch

\`espalier COMMAND --help\` explains a command: \`run --help\` has the exit statuses, \`status --help\` the symbols of tasks.`
