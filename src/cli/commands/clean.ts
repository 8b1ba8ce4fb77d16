import { cleanState } from '../../engine/upkeep/clean.ts'
import { count } from '../../text/figures.ts'
import { shownNames } from '../../workloads/document/field.ts'
import { flag, help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { formatBytes } from '../terminal/table.ts'

export const commands = {
  clean: inWorkspace(
    {
      run: flag('--run <run>', 'this run, regardless of age').conflicts('all'),
      all: flag('--all', 'every finished run, regardless of age'),
      discard: flag('--discard <run>', 'this run, with its branch and all its work').conflicts(['all', 'run']),
      worktrees: flag('--worktrees', 'also the pool of worktrees'),
      force: flag('--force', 'also delete work that exists nowhere else'),
      dryRun: flag('--dry-run', 'only print what would be removed'),
      json: ONE_OBJECT,
    },
    help(
      `Removes finished runs beyond the setting \`history\` (default: all but the newest 20, and those older than 30 days), and
worktrees not used for that long. The end of every run does the same. Runs that can be resumed are kept, and so is work
that exists nowhere else; the output says why. Branches espalier/* stay unless discarded, and \`git merge\` lands those of
removed runs: the output names those that are not in HEAD.`,
      '0, or 2 if there is no such run, or it cannot be discarded.',
      'espalier clean --dry-run             what would be removed, with sizes',
      'espalier clean --discard checkout-7  this run, with its branch and all its work',
      'espalier clean --all                 every finished run',
      'espalier clean --worktrees           also the pool of worktrees; the next run creates it again',
    ),
    async (
      { workspace, settings: { history }, outPalette: { dim } },
      { run, all, discard, worktrees, force, dryRun = false },
    ) => {
      const cleaned = await cleanState(workspace, { history, run, all, discard, worktrees, force, dryRun })
      if (!cleaned.ok) return cleaned
      const { removed, kept, reopened, notReopened, recent, bytes } = cleaned.value
      const did = dryRun ? 'would remove' : 'removed'
      const what =
        removed.length === 0 ? 'nothing to remove' : `${count(removed.length, 'item')}, ${formatBytes(bytes)}`
      const more = recent > 0 ? `; \`history\` keeps ${count(recent, 'finished run')}, which --all would remove` : ''
      const lines = [
        ...removed.flatMap(({ path, bytes, unlanded, branch }) => [
          `${did}  ${path}  ${dim(formatBytes(bytes) + stayingText(unlanded))}`,
          ...(branch ? [`${did}  branch ${branch.name}  ${dim(`was ${branch.commit.slice(0, 12)}`)}`] : []),
        ]),
        ...kept.map(({ path, why }) => `kept  ${path}  ${dim(why)}`),
        ...reopened.map(
          ({ file, tasks }) => `${dryRun ? 'would reopen' : 'reopened'}  ${shownNames(tasks)} in ${file}`,
        ),
        ...notReopened,
        `${what}${more}`,
      ]
      return { json: { dryRun, ...cleaned.value }, lines }
    },
  ),
}

/** Suggests git, because `espalier land` no longer knows a removed run. */
function stayingText(branch: string | null): string {
  return branch === null
    ? ''
    : `; its work stays on ${branch}, which is not in HEAD: \`git merge ${branch}\` brings it there`
}
