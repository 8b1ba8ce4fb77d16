// Flags and help texts that several commands have.
import { type Command, Option } from 'commander'
import { SETTINGS } from '../../config.ts'
import { type Setting, type SettingKind, settingsWith } from '../../setting.ts'
import { dollars, duration, endingIn, filled, slots, wholeNumber } from './flag-values.ts'

/** What `--run` means. */
export const WHICH_RUN = 'the run; default: the one at work, else the newest'

export function withRepository(command: Command): Command {
  const named = command.option('--repo <dir>', 'the repository; default: the one around this folder')
  return withSettingFlags(named, 'repository')
}

/** The flags that are settings. */
export function withSettingFlags(command: Command, commands: NonNullable<Setting['flag']>['of']): Command {
  for (const { flag, kind } of Object.values<Setting>(settingsWith(SETTINGS, 'flag'))) {
    if (flag?.of !== commands) continue
    const option = new Option(flag.name, flag.help)
    // Few use it, and every command has it.
    if (option.name() === 'store') option.hideHelp()
    command.addOption(kind.type === 'choice' ? option.choices(kind.of) : withParser(option, kind))
  }
  return command
}

function withParser(option: Option, kind: SettingKind): Option {
  if (kind.type === 'slots') return option.argParser(slots)
  if (kind.type === 'whole') return option.argParser(wholeNumber(kind.min, kind.max))
  if (kind.type === 'usd') return option.argParser(dollars)
  if (kind.type === 'time') return option.argParser(duration)
  return kind.type === 'text' ? option.argParser(filled(`--${option.name()}`)) : option
}

export function withFormat(command: Command): Command {
  return command
    .option('--format <name>', 'the format of the plan; default: auto-detected')
    .option('--part <part>', 'only this part of it: batches such as 2 or 1,3-4, a tag of Task Master')
}

export function pageOption(what: string): Option {
  const where = 'without FILE to the state folder; - is stdout'
  return new Option('--html [file]', `${what}; ${where}`).argParser(endingIn('--html', '.html', '.htm'))
}

/** Explains the arguments that commands.ts gave the command, in their order. */
export function withArguments(command: Command, ...says: string[]): Command {
  for (const [index, argument] of command.registeredArguments.entries()) argument.description = says[index] ?? ''
  return command
}

/** What --help says below the flags. */
export function help(text: string, exitStatus: string, ...examples: string[]): string {
  const shown = examples.length > 0 ? ['', 'Examples:', ...examples.map((line) => `  ${line}`)] : []
  return ['', text, '', `Exit status: ${exitStatus}`, ...shown].join('\n')
}

/** Of commands that run something. */
export const EXIT_STATUSES = `
Exit status:
  0    every task landed, or passed if it has nothing to land
  1    something failed, was blocked or was cancelled, or the machine stopped the run (full disk, missing rights)
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    something waits for you, even if other tasks failed: resolve a conflict (\`espalier resolve TASK\`),
       or raise the budget (\`espalier resume --budget-usd N\`)
  130  interrupted`

/** `conflicts`: flags that only mean something without an agent. */
export function withPlanner(command: Command, conflicts: string[] = []): Command {
  const agent = new Option('--agent <name>', 'the agent that writes it, such as claude').argParser(filled('--agent'))
  const program = new Option('--command <command>', 'the program that writes it; implies --agent command')
  return command
    .addOption(agent.conflicts(conflicts))
    .addOption(program.argParser(filled('--command')).conflicts(conflicts))
    .option('--model <model>', "the model it uses; default: the agent's own choice", filled('--model'))
    .option('--timeout <time>', 'stop it after this time (90s, 30m)', duration)
    .option('--budget-usd <n>', 'stop it once it has cost N US dollars', dollars)
}
