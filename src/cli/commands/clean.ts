import { cleanState } from '../../index.ts'
import { count } from '../event-line.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { formatBytes } from '../format-bytes.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; dryRun?: boolean; worktrees?: boolean; force?: boolean }

export async function clean(flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const dryRun = flags.dryRun ?? false
  const { run, worktrees, force } = flags
  const cleaned = await cleanState({ ...found.value.where, run, dryRun, worktrees, force })
  if (!cleaned.ok) return refuseWith(cleaned.problems, around)
  const { removed, kept, bytes } = cleaned.value
  const { dim } = around.outPalette
  for (const path of removed) around.out.write(`${dryRun ? 'would remove' : 'removed'}  ${path}\n`)
  for (const { path, why } of kept) around.out.write(`kept  ${path}  ${dim(why)}\n`)
  const what = removed.length === 0 ? 'nothing to remove' : `${count(removed.length, 'item')}, ${formatBytes(bytes)}`
  around.out.write(`${what}\n`)
  return EXIT.done
}
