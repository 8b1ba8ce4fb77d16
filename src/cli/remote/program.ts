// `espalier --server URL COMMAND`: the same words as for a repository here, for one that a server has.
import { Command, CommanderError } from 'commander'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { helpWidth, type Surroundings } from '../surroundings.ts'
import { type RemoteFlags, withServer } from './server.ts'

export async function runRemote(argv: string[], version: string, surroundings: Surroundings): Promise<ExitStatus> {
  let status: ExitStatus = EXIT.done
  const program = new Command('espalier')
    .description('The commands that work on a server: `espalier serve` on this machine or another.')
    .version(version, '-V, --version')
    .requiredOption('--server <url>', 'where it is')
    .option('--project <id>', 'which of its projects; default: the only one')
    .option('--token-file <file>', 'a file with the token; default: ESPALIER_TOKEN, or that of this machine')
    .exitOverride()
    .showHelpAfterError('(--help says what is possible)')
    .configureOutput({
      writeOut: (text) => void surroundings.out.write(text),
      writeErr: (text) => void surroundings.err.write(text),
      getOutHelpWidth: () => helpWidth(surroundings.out),
      getErrHelpWidth: () => helpWidth(surroundings.err),
    })
    .addHelpText('after', HELP)
  const action =
    <A extends unknown[]>(load: () => Promise<(server: RemoteServer, ...given: A) => Promise<ExitStatus>>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = await load()
      const args = given.slice(0, -1) as A // the last is the parser's own
      status = await withServer(program.opts<RemoteFlags>(), surroundings, (server) => command(server, ...args))
    }
  addCommands(program, action)
  try {
    await program.parseAsync(argv)
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.done : EXIT.badInput
  }
}

type RemoteServer = Parameters<Parameters<typeof withServer>[2]>[0]
type Action = <A extends unknown[]>(
  load: () => Promise<(server: RemoteServer, ...given: A) => Promise<ExitStatus>>,
) => (...given: unknown[]) => Promise<void>

function addCommands(program: Command, action: Action): void {
  program
    .command('status')
    .description('show run status')
    .argument('[run]')
    .option('-a, --all', 'list all runs, newest first')
    .option('--json', 'print one JSON object')
    .action(action(async () => (await import('./status.ts')).status))
  program
    .command('run')
    .description('run a plan: a file here is sent along, else it is one of the repository there')
    .argument('[plan]')
    .option('-j, --max-concurrency <n>', 'how many tasks run at the same time', Number)
    .option('--agent <name>', 'the agent for every prompt')
    .option('--detach', 'do not wait for its end')
    .option('--json', 'print one JSON event per line')
    .action(action(async () => (await import('./run.ts')).run))
  program
    .command('resume')
    .description('continue a run')
    .argument('[run]')
    .option('-j, --max-concurrency <n>', 'how many tasks run at the same time', Number)
    .option('--detach', 'do not wait for its end')
    .option('--json', 'print one JSON event per line')
    .action(action(async () => (await import('./run.ts')).resume))
  program
    .command('logs')
    .description('print the output of a task')
    .argument('<task>')
    .option('-f, --follow', 'follow the output')
    .option('--transcript', 'readable')
    .option('--attempt <n>', 'which attempt; default: the last', Number)
    .option('--run <run>', 'the run; default: the newest')
    .action(action(async () => (await import('./logs.ts')).logs))
  program
    .command('cancel')
    .description('cancel a run or one task of it')
    .argument('[task]')
    .option('--run <run>', 'the run; default: the newest')
    .action(action(async () => (await import('./cancel.ts')).cancel))
}

const HELP = `
Exit status: as without --server; 2 also where the server cannot be reached or refuses.

Examples:
  espalier --server http://127.0.0.1:4713 status
  espalier --server https://espalier.example.com --project shop run plan.yaml
  ESPALIER_TOKEN=esp_… espalier --server https://espalier.example.com logs api -f`
