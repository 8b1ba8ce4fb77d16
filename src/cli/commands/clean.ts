import { Option } from 'commander'
import { cleanState } from '../../engine/upkeep/clean.ts'
import { count } from '../../text/figures.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, withRepository } from '../command-line/flags.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { formatBytes } from '../terminal/columns.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  clean: (command, { inWorkspace }) =>
    withRepository(command)
      .addOption(new Option('--run <run>', 'this run, regardless of age').conflicts('all'))
      .option('--all', 'every finished run, regardless of age')
      .option('--worktrees', 'also the pool of worktrees')
      .option('--force', 'also delete work that exists nowhere else')
      .option('--dry-run', 'only print what would be removed')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(clean)),
}

type Flags = {
  run?: string
  all?: boolean
  dryRun?: boolean
  worktrees?: boolean
  force?: boolean
  json?: boolean
}

async function clean(flags: Flags, here: InWorkspace): Promise<Done> {
  const dryRun = flags.dryRun ?? false
  const { run, all, worktrees, force } = flags
  const { workspace, settings } = here
  const cleaned = await cleanState(workspace, { history: settings.history, run, all, dryRun, worktrees, force })
  if (!cleaned.ok) return cleaned
  if (flags.json) return printJson({ dryRun, ...cleaned.value }, here)
  const { removed, kept, recent, bytes } = cleaned.value
  const { dim } = here.outPalette
  const did = dryRun ? 'would remove' : 'removed'
  for (const { path, bytes: size, unlanded } of removed)
    here.out.write(`${did}  ${path}  ${dim(formatBytes(size) + stayingText(unlanded))}\n`)
  for (const { path, why } of kept) here.out.write(`kept  ${path}  ${dim(why)}\n`)
  const what = removed.length === 0 ? 'nothing to remove' : `${count(removed.length, 'item')}, ${formatBytes(bytes)}`
  const more = recent > 0 ? `; \`history\` keeps ${count(recent, 'finished run')}, which --all would remove` : ''
  return printLines([`${what}${more}`], here)
}

/** `espalier land` knows the run no longer. */
function stayingText(branch: string | null): string {
  return branch === null
    ? ''
    : `; its work stays on ${branch}, which is not in HEAD: \`git merge ${branch}\` brings it there`
}

const HELP = help(
  `Removes finished runs beyond the setting \`history\` (default: all but the newest 20, and those older than 30 days), and
worktrees not used for that long. The end of every run does the same. Runs that can be resumed are kept, and so is work
that exists nowhere else; the output says why. Branches espalier/* stay, and \`git merge\` lands those of removed runs:
the output names those that are not in HEAD.`,
  '0, or 2 if there is no such run.',
  'espalier clean --dry-run        what would be removed, with sizes',
  'espalier clean --all            every finished run',
  'espalier clean --worktrees      also the pool of worktrees; the next run creates it again',
)
