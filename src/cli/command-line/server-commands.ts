// The commands for programs and browsers: the server, who may use it, which repositories it has.
import { type Command, Option } from 'commander'
import { actionOf, type Calls } from './calls.ts'
import { duration, filled, labels, resources, wholeNumber } from './flag-values.ts'
import { withRepository } from './flags.ts'

export function addServerCommands(program: Command, calls: Calls): void {
  const { call, inWorkspace } = actionOf(calls)
  const serving = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--repo <dir>', 'a repository, besides those of `espalier projects`; may be repeated', collect)
      .option('--port <n>', 'the port; default: 4713, or a free one if it is taken', wholeNumber(0, 65_535))
  const serve = call(async () => (await import('../commands/server/serve.ts')).serve)

  serving('ui', 'open the dashboard in a browser')
    .option('--no-open', 'only print its address')
    .addHelpText('after', HELP.ui)
    .action(({ open, ...flags }, command) => serve({ ...DEFAULTS, ...flags, app: true, open }, command))
  serving('serve', 'serve runs over HTTP, for programs and browsers')
    .option('--host <address>', 'listen beyond this machine; put TLS in front of it', filled('--host'))
    .option('--url <url>', 'where a proxy makes it available, such as https://espalier.example.com')
    .option('--allow-host <name>', 'also accept this Host header; may be repeated', collect)
    .option('--allow-origin <origin>', 'let pages of this origin use it; may be repeated', collect)
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr, as JSON')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default(DEFAULTS.logLevel),
    )
    .option('--open', 'open the dashboard in a browser, as `espalier ui` does')
    .option('--json', 'print one line {"url", "tokenFile"} once it is ready')
    .addHelpText('after', HELP.serve)
    .action((flags, command) => serve({ ...DEFAULTS, ...flags, app: flags.open }, command))

  const tokens = program.command('tokens').description('manage access tokens of the server')
  tokens
    .command('list', { isDefault: true })
    .description('list tokens and logged-in browsers')
    .option('--json', 'print a list as JSON')
    .addHelpText('after', HELP.tokens)
    .action(call(async () => (await import('../commands/server/tokens.ts')).listTokens))
  tokens
    .command('create')
    .description('make a token and print it, once')
    .argument('<name>', 'what it is for', filled('NAME'))
    .addOption(
      new Option('--scope <scope>', 'what it may do').choices(['read', 'run', 'admin', 'worker']).default('read'),
    )
    .option('--expires <time>', 'until when it works (12h, 30d)', duration)
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.tokens)
    .action(call(async () => (await import('../commands/server/tokens.ts')).createToken))
  tokens
    .command('revoke')
    .description('revoke a token or log a browser out, at once')
    .argument('<token>', 'its id or name')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.tokens)
    .action(call(async () => (await import('../commands/server/tokens.ts')).revokeToken))

  program
    .command('worker')
    .description('let this machine execute tasks for a server')
    .requiredOption('--server <url>', 'where the server is reached')
    .option('--token <token>', 'its token, of the scope worker; default: $ESPALIER_WORKER_TOKEN', filled('--token'))
    .option('--project <id>', 'which project of the server; default: the only one')
    .option('--name <name>', 'what it is called; default: the name of this machine', filled('--name'))
    .option('--slots <n>', 'how many tasks it executes at the same time', wholeNumber(1, 64), 2)
    .option('--labels <names>', 'what it is called by tasks that ask for a label: gpu,arm', labels)
    .option('--resources <counts>', 'what it has of the resources of plans: gpu=2,port=10', resources)
    .option('--state-dir <dir>', 'where its worktrees and logs are; default: ~/.local/state/espalier/workers/NAME')
    .addHelpText('after', HELP.worker)
    .action(call(async () => (await import('../commands/server/worker.ts')).worker))
  withRepository(program.command('workers').description('list workers'))
    .option('-a, --all', 'also those that left or were lost')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.workers)
    .action(inWorkspace(async () => (await import('../commands/server/workers.ts')).workers))

  const projects = program.command('projects').description('manage the repositories of the server')
  projects
    .command('list', { isDefault: true })
    .description('list them')
    .option('--json', 'print a list as JSON')
    .addHelpText('after', HELP.projects)
    .action(call(async () => (await import('../commands/server/projects.ts')).listProjects))
  projects
    .command('add')
    .description('add a repository')
    .argument('[dir]', 'default: the one around this folder')
    .option('--id <id>', 'what it is called; default: the name of its folder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.projects)
    .action(call(async () => (await import('../commands/server/projects.ts')).addProject))
  projects
    .command('remove')
    .description('take a repository out of the list; nothing of it is removed')
    .argument('<project>', 'its id or folder')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.projects)
    .action(call(async () => (await import('../commands/server/projects.ts')).removeProject))
}

const DEFAULTS = { repo: [], allowHost: [], allowOrigin: [], logLevel: 'warn' }

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

const HELP = {
  ui: `
Starts a server for this repository and those of \`espalier projects\`, on this machine only, and opens the dashboard in your
browser, logged in. Runs are processes of their own: they go on when you stop it with Ctrl-C. In a checkout of Espalier the first
call builds the dashboard.

Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it could not start.

Examples:
  espalier ui
  espalier ui --repo ../shop --repo ../api`,

  serve: `
Serves REST and WebSocket for the repositories of \`espalier projects\`, those named with --repo, and the
one around this folder. Runs are processes of their own: they go on when the server stops, and it shows runs that were started
in a terminal. Prints a login link for a browser, which works once. Programs send the token of the token file as
\`Authorization: Bearer\`. docs/server.md has every route; so has /api/docs of the server.

It listens on 127.0.0.1 only, unless --host says otherwise: then put a proxy with TLS in front of it.

Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it could not start.

Examples:
  espalier serve
  espalier serve --repo ../shop --repo ../api --json
  espalier serve --host 0.0.0.0 --url https://espalier.example.com`,

  worker: `
Joins a server, gets tasks of the runs of a project, executes them as a run on that machine would, and delivers what came of them.
Keys of agents are those of this machine. It needs no database and no checkout. docs/fleet.md has the rest.
SIGTERM or Ctrl-C once: takes nothing more and leaves when it has finished what it has; twice: leaves at once, its agents go on,
and a worker of the same name takes them up.

Exit status: 0 it left, 2 the server does not accept it.

Examples:
  espalier worker --server https://espalier.example.com --token "$TOKEN"
  espalier worker --server http://build-1:4713 --slots 4 --labels gpu --resources card=2`,

  workers: `
State: there, drains (finishes what it has), gone (no sign of life), left. Clock: how far its clock is off.

Exit status: 0, or 2 where the store is no Postgres.

Examples:
  espalier workers
  espalier workers --all --json`,

  tokens: `
A token of the scope read sees everything, run also starts and cancels runs, admin also lands, and manages tokens and projects. One of
the scope worker is for \`espalier worker\` alone: it gets tasks and nothing else.
Tokens are kept as hashes in ~/.config/espalier/server/tokens.json. A server notices changes at once.

Exit status: 0, or 2 if there is no such token.

Examples:
  espalier tokens create ci --scope run --expires 90d
  espalier tokens
  espalier tokens revoke ci`,

  projects: `
The list is kept in ~/.config/espalier/projects.json. A server notices changes at once.

Exit status: 0, or 2 if it is no repository or not in the list.

Examples:
  espalier projects add
  espalier projects add ../shop --id shop
  espalier projects remove shop`,
} as const
