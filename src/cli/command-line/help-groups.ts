// How --help sorts commands into groups, and which flags it shows only with `--help --all`.
import type { Command } from 'commander'

/** In the order of --help. Every command stands in one of them. */
export const HELP_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Run:': ['run', 'resume', 'retry', 'cancel', 'land', 'suite', 'search'],
  'Look:': ['status', 'ui', 'show', 'logs', 'diff', 'report', 'open', 'sessions', 'trace', 'models'],
  'Plan:': ['plan', 'prompt', 'claims', 'expertise'],
  'Fix:': ['resolve', 'doctor', 'clean'],
  'Set up:': [
    'init',
    'config',
    'demo',
    'serve',
    'worker',
    'workers',
    'tokens',
    'projects',
    'mcp',
    'completion',
    'store',
    'help',
  ],
}

/** Flags of `run`, `resume` and `retry` that few people need. All of them are settings, or ways to name a plan or a repository. */
const RARE = [
  'workers-only',
  'max-per-epic',
  'schedule',
  'strict',
  'timeout',
  'on-budget',
  'write-back',
  'format',
  'part',
  'state-dir',
  'store',
  'engine-repository',
]

/** Commands with so many flags that the rare ones are left out. */
const LONG = ['run', 'resume', 'retry']

export function arrangeHelp(program: Command, withRare: boolean): void {
  const commands = Object.entries(HELP_GROUPS).flatMap(([group, names]) =>
    names.flatMap((name) => program.commands.find((one) => one.name() === name)?.helpGroup(group) ?? []),
  )
  // The list of --help has the order of the commands, so they are sorted as the groups are.
  const rest = program.commands.filter((one) => !commands.includes(one))
  ;(program.commands as Command[]).splice(0, program.commands.length, ...commands, ...rest)
  for (const command of commands.filter((one) => LONG.includes(one.name()))) {
    const rare = command.options.filter((option) => RARE.includes(option.name().replace(/^no-/, '')))
    for (const option of rare) option.hideHelp(!withRare)
    if (!withRare && rare.length > 0)
      command.addHelpText('after', `\nMore flags: espalier ${command.name()} --help --all`)
  }
}

/** In a list of commands: without `[options]`, which nearly all have. */
export function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}...` : one.name()
    return one.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...words].join(' ')
}

/** `--all` beside `--help` asks for the rare flags. Without it, a command may have a flag of that name. */
export function asksForRare(argv: readonly string[]): boolean {
  return argv.includes('--all') && (argv.includes('--help') || argv.includes('-h') || argv[2] === 'help')
}
