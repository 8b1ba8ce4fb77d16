// Flags that several commands have.
import { type Command, Option } from 'commander'
import { endingIn } from './flag-values.ts'

/** What `--run` means. */
export const WHICH_RUN = 'the run; default: the one at work, else the newest'

export function withRepository(command: Command): Command {
  return command
    .option('--repo <dir>', 'the repository; default: the one around this folder')
    .option('--state-dir <dir>', 'where runs are kept; default: <repository>.espalier beside it')
    .addOption(new Option('--store <url>', 'where runs are recorded: postgres://… or an SQLite file').hideHelp())
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
