import { cleanState } from '../../engine/upkeep/clean.ts'
import { count } from '../../text/count.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { formatBytes } from '../terminal/columns.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = {
  run?: string
  all?: boolean
  dryRun?: boolean
  worktrees?: boolean
  force?: boolean
  json?: boolean
}

export async function clean(flags: Flags, here: InWorkspace): Promise<Done> {
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
