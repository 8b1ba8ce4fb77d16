// Worktrees that were set aside (git/slots/set-aside.ts), for `doctor` and `clean`: their contents, and the commands to remove
// them.

import type { EngineRepository } from '../../git/engine/repository.ts'
import { listAside, listUnkept, removeAside, removeWorkNote, type UnkeptWork } from '../../git/slots/set-aside.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunSummary } from '../../view.ts'

/** The message is for a person, and says what to type. */
export class CannotRemove extends Error {}

type Found = {
  going: { path: string; remove(): Promise<void> }[]
  kept: { path: string; why: string }[]
}

/** Removes those without needed work. Work of a known run goes with that run (remove-run.ts). */
export function foldersAside(
  engine: EngineRepository,
  runs: readonly RunSummary[],
  { force }: { force?: boolean | undefined },
): Found {
  const known = new Set(runs.map(({ run }) => run))
  const found: Found = { going: [], kept: [] }
  for (const { path, work } of listAside(engine)) {
    if (work === null || (force && !known.has(work.run))) found.going.push({ path, remove: () => removed(path) })
    else if (!known.has(work.run)) found.kept.push({ path, why: howToSave(work) })
  }
  return found
}

/** Folders with work of a run that is in no ref. */
export function unkeptOf(engine: EngineRepository, run: string): string[] {
  return listUnkept(engine).flatMap(({ path, work }) => (work.run === run ? [path] : []))
}

/** Removes a worktree with its contents, after the user has agreed. */
export async function removed(path: string): Promise<void> {
  removeWorkNote(path)
  if (!(await removeAside({ path, work: null }))) throw new CannotRemove(howToRemove(path))
}

export function howToRemove(path: string): string {
  const word = shellWord(path)
  return `your user may not remove all that is in it: \`sudo rm -rf ${word}\`, and before that \`sudo chattr -R -i ${word}\` if files in it are immutable, and \`sudo umount\` if something is mounted in it`
}

export function howToSave({ run }: Pick<UnkeptWork, 'run'>): string {
  return `its work could not be kept in git: take what you need from it, then \`espalier clean --run ${run} --force\` removes it`
}
