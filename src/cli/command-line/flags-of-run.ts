// Flags of `run`, `resume` and `retry`, and what their help texts share.
import type { Command } from 'commander'
import { withSettingFlags } from './flags.ts'

export function withRunFlags(command: Command): Command {
  return withSettingFlags(command, 'run')
    .option('-q, --quiet', 'print only the summary at the end')
    .option('--json', 'print one JSON event per line')
}

export const INTERRUPTION = `
Ctrl-C once: no new task starts, running agents are asked to stop; \`espalier resume\` continues the run.
Ctrl-C twice: leaves at once; agents that still run keep running, and \`espalier resume\` adopts them.`

export const OUTPUT = `
In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.`

/** Flags that few people need. All of them are settings, or ways to name a plan or a repository. */
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

/** `--help` leaves out the rare flags unless it is called with `--all`. */
export function withRareHidden(command: Command, withRare: boolean): void {
  const rare = command.options.filter((option) => RARE.includes(option.name().replace(/^no-/, '')))
  for (const option of rare) option.hideHelp(!withRare)
  if (!withRare) command.addHelpText('after', `\nMore flags: espalier ${command.name()} --help --all`)
}
