// Declarations of commands: flags, help text and action.
import { type Command, Option } from 'commander'
import { LIMITS, SETTINGS } from '../../config.ts'
import { ok, type Result } from '../../problem.ts'
import { type Setting, settingsWith } from '../../setting.ts'
import type { ExitStatus } from '../exit-status.ts'
import type { InRepository, InWorkspace, RepositoryFlags } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { type Done, statusOf } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { dollars, duration, endingIn, filled, orAuto, wholeNumber } from './flag-values.ts'

export type Calls = {
  surroundings: Surroundings
  /** Takes the exit status of the command that was called. */
  finish: (status: ExitStatus) => void
  /** Whether help also lists the flags that few people need. */
  withRare: boolean
  wholeCommandLine: () => Promise<Command>
}

/** The commands of a file, by their last word: each function adds flags, help text and action to its command. */
export type Commands = Readonly<Record<string, (command: Command, calls: Calls) => void>>

type More = {
  /** Descriptions of the arguments that commands.ts lists, in order. */
  args?: readonly string[]
  /** Last part of the help text with `--help --all`; a command that has it shows rare flags only there. */
  rare?: string
  also?: (command: Command) => void
}

type Action<Here, F> = (
  here: Here,
  flags: F,
  // biome-ignore lint/suspicious/noExplicitAny: each command knows its arguments, which commands.ts lists
  ...args: any[]
) => Promise<Done>

/** An action gets its context, its flags and its arguments. `find` makes the context, or refuses the command. */
function declared<Here, Own extends Flags>(
  own: Own,
  find: (surroundings: Surroundings, flags: RepositoryFlags) => Promise<Result<Here>>,
) {
  return <F extends Flags>(
    flags: F,
    help: string,
    action: Action<Here, Given<F> & Given<Own>>,
    { args = [], rare, also }: More = {},
  ) =>
    (command: Command, { surroundings, finish, withRare }: Calls): void => {
      for (const given of Object.values({ ...flags, ...own })) {
        // Copies the flag: whether it is hidden depends on the command.
        const option: Option = Object.assign(Object.create(Object.getPrototypeOf(given)), given)
        const hidden = rare === undefined ? ['store'] : withRare ? [] : RARE
        command.addOption(option.hideHelp(hidden.includes(option.name().replace(/^no-/, ''))))
      }
      for (const [index, argument] of command.registeredArguments.entries()) argument.description = args[index] ?? ''
      command.addHelpText('after', withRare ? help + (rare ?? '') : help)
      if (rare !== undefined && !withRare)
        command.addHelpText('after', `\nMore flags: espalier ${command.name()} --help --all`)
      also?.(command)
      command.action(async (...given) => {
        const [values, ...words] = [given.at(-2), ...given.slice(0, -2)]
        const here = await find(surroundings, values)
        finish(statusOf(here.ok ? await action(here.value, values, ...words) : here, surroundings, values))
      })
    }
}

/** An option of the parser with the type of its value. */
export class Flag<V> extends Option {
  declare readonly value: V
}

/** Another name of a flag: it sets the value of that one, and has none itself. */
class Alias extends Flag<never> {
  readonly of: Flag<unknown>

  constructor(usage: string, of: Flag<unknown>) {
    super(usage, `the same as ${of.long}`)
    this.of = of
    if (of.parseArg) this.argParser(of.parseArg)
  }

  override attributeName(): string {
    return this.of.attributeName()
  }
}

type Flags = Readonly<Record<string, Flag<unknown>>>

export type Given<F extends Flags> = { [N in keyof F as F[N] extends Alias ? never : N]?: F[N]['value'] }

export function flag<const U extends string>(usage: U, help: string): Flag<Unread<U>>
export function flag<V>(usage: string, help: string, read: (text: string, before: V) => V): Flag<V>
export function flag(usage: string, help: string, read?: (text: string, before: unknown) => unknown): Flag<unknown> {
  const made = new Flag(usage, help)
  return read ? made.argParser(read) : made
}

/** Type of a value without a parser function: `--all`, `--run <run>`, `--entry <id...>`, `--markdown [file]`. */
type Unread<Usage extends string> = Usage extends `${string}...>`
  ? string[]
  : Usage extends `${string}>`
    ? string
    : Usage extends `${string}]`
      ? string | true
      : boolean

type SettingFlags = { [N in keyof SettingsFlags]-?: Flag<NonNullable<SettingsFlags[N]>> }

function settingFlags(commands: 'repository' | 'run' | 'start'): SettingFlags {
  const made = Object.entries<Setting>(settingsWith(SETTINGS, 'flag')).flatMap(([name, { flag, kind }]) =>
    flag?.of === commands ? [[name, readAs(new Flag(flag.name, flag.help), kind)]] : [],
  )
  return Object.fromEntries(made)
}

function readAs(flag: Flag<unknown>, kind: Setting['kind']): Flag<unknown> {
  if (kind.type === 'choice') return flag.choices(kind.of)
  if (kind.type === 'slots') return flag.argParser(orAuto(LIMITS.slots))
  if (kind.type === 'whole') return flag.argParser(wholeNumber(kind.min, kind.max))
  if (kind.type === 'usd') return flag.argParser(dollars)
  if (kind.type === 'time') return flag.argParser(duration)
  return kind.type === 'text' ? flag.argParser(filled(`--${flag.name()}`)) : flag
}

type PlaceFlags = Pick<SettingFlags, 'stateDir' | 'store' | 'engineRepository'>

export const REPOSITORY_FLAGS: PlaceFlags & { repo: Flag<string> } = {
  repo: flag('--repo <dir>', 'the repository; default: the one around this folder'),
  ...settingFlags('repository'),
}

export const FORMAT_FLAGS = {
  format: flag('--format <name>', 'the format of the plan; default: auto-detected'),
  part: flag('--part <part>', 'only this part of it: batches such as 2 or 1,3-4, a tag of Task Master'),
}

const RUN_SETTINGS = settingFlags('run')

/** Flags of `run`, `resume` and `retry`. */
export const RUN_FLAGS = {
  ...RUN_SETTINGS,
  maxParallel: new Alias('--max-parallel <n>', RUN_SETTINGS.maxConcurrency),
  quiet: flag('-q, --quiet', 'print only the summary at the end'),
  json: flag('--json', 'print one JSON event per line'),
  ...FORMAT_FLAGS,
}

export const START_FLAGS: object = settingFlags('start')

export const STANDBY = flag(
  '--standby',
  'if another espalier already works here: wait, and continue its run if it dies',
)
export const WHICH_RUN = flag('--run <run>', 'the run; default: the one at work, else the newest')
export const NEWEST_RUN = flag('--run <run>', 'the run; default: the newest')
export const ONE_OBJECT = flag('--json', 'print one JSON object')

export type PageFlag = string | true

export function pageFlag(what: string): Flag<PageFlag> {
  const where = 'without FILE to the state folder; - is stdout'
  return new Flag<PageFlag>('--html [file]', `${what}; ${where}`).argParser(endingIn('--html', '.html', '.htm'))
}

/** `conflicts`: flags that make sense only without an agent. */
export function plannerFlags(conflicts: string[] = []) {
  const agent = flag('--agent <name>', 'the agent that writes it, such as claude', filled('--agent'))
  const program = flag(
    '--command <command>',
    'the program that writes it; implies --agent command',
    filled('--command'),
  )
  return {
    agent: agent.conflicts(conflicts),
    command: program.conflicts(conflicts),
    model: flag('--model <model>', "the model it uses; default: the agent's own choice", filled('--model')),
    timeout: flag('--timeout <time>', 'stop it after this time (90s, 30m)', duration),
    budgetUsd: flag('--budget-usd <n>', 'stop it once it has cost N US dollars', dollars),
  }
}

const repository = () => import('../inputs/repository.ts')

/** Declares a command that needs nothing but its process. */
export const call = declared({}, async (surroundings) => ok(surroundings))

/** Declares a command that needs a folder and its settings, and is refused if they cannot be used. */
export const inRepository = declared(
  REPOSITORY_FLAGS,
  async (surroundings, flags): Promise<Result<InRepository>> =>
    (await repository()).findRepository(surroundings, flags),
)

/** Declares a command that also needs the state of the repository. */
export const inWorkspace = declared(
  REPOSITORY_FLAGS,
  async (surroundings, flags): Promise<Result<InWorkspace>> =>
    (await repository()).findWorkspace(surroundings, flags, settingsFromFlags(flags)),
)

/** Flags that few people need: hidden in commands with `rare`; other commands hide only `--store`. */
const RARE = [
  ...['workers-only', 'max-per-epic', 'schedule', 'strict', 'timeout', 'on-budget', 'write-back'],
  ...['max-parallel', 'parallel', 'spec'],
  ...['format', 'part', 'state-dir', 'store', 'engine-repository'],
]

/** Help text below the flags. */
export function help(text: string, exitStatus: string, ...examples: string[]): string {
  const shown = examples.length > 0 ? ['', 'Examples:', ...examples.map((line) => `  ${line}`)] : []
  return ['', text, '', `Exit status: ${exitStatus}`, ...shown].join('\n')
}
