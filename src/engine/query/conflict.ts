// The conflict of a task that waits for a person, as a three-way view: the file before, on the branch and in the work, and
// git's attempt to merge them. Reading it changes nothing and needs no worktree.
import { inEngine, openEngineRepository } from '../../git/engine/repository.ts'
import { blobsIn, readConflict } from '../../git/landing/conflict.ts'
import { GitFailure, gitText } from '../../git/run/git.ts'
import { readable } from '../../git/run/path-bytes.ts'
import { readObjects } from '../../git/run/read-objects.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** A side is null if it has no such file, or one that is not shown. */
export type ConflictFile = {
  path: string
  /** `other`: not text, or too large. */
  kind: 'text' | 'other'
  base: string | null
  branch: string | null
  work: string | null
  /** Contains conflict markers. */
  merged: string | null
}

export type ConflictSides = {
  run: string
  task: string
  commit: string
  base: string
  branch: string
  work: string
  files: ConflictFile[]
  /** Number of files in conflict that are not listed. */
  leftOut: number
}

export async function readConflictSides(
  workspace: Workspace,
  { run, task }: { run: string; task: string },
): Promise<Result<ConflictSides>> {
  const found = await readTaskView(workspace, { run, task })
  if (!found.ok) return found
  const conflict = found.value?.conflict?.commit
  if (conflict === undefined) return refuse(`${task} of run ${run} is not in conflict`)
  const user = await workspace.user()
  if (!user.ok) return user
  try {
    const engine = await openEngineRepository(workspace.folder.root, user.value)
    const { onto, work, paths } = await readConflict(engine, conflict)
    const base = await gitText(['merge-base', onto, work], inEngine(engine))
    const shown = paths.slice(0, MOST_FILES)
    const sides = await Promise.all([base, onto, work, conflict].map((tree) => blobsIn(engine, tree, shown)))
    const contents = await readObjects(engine, [...new Set(sides.flatMap((blobs) => [...blobs.values()]))], MOST_BYTES)
    const files = shown.map((path): ConflictFile => {
      const texts = sides.map((blobs) => textOf(blobs.get(path), contents))
      const [baseText = null, branchText = null, workText = null, merged = null] = texts.map((text) => text ?? null)
      const isText = texts.every((text) => text !== undefined)
      if (!isText) return { path: readable(path), kind: 'other', base: null, branch: null, work: null, merged: null }
      return { path: readable(path), kind: 'text', base: baseText, branch: branchText, work: workText, merged }
    })
    return ok({ run, task, commit: conflict, base, branch: onto, work, files, leftOut: paths.length - shown.length })
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return refuse(`the conflict of ${task} cannot be read: ${error.message}`)
  }
}

/** Null: that side has no such file. Undefined: it cannot be shown. */
function textOf(blob: string | undefined, contents: ReadonlyMap<string, Buffer | null>): string | null | undefined {
  if (blob === undefined) return null
  const content = contents.get(blob)
  return !content || content.includes(0) ? undefined : content.toString('utf8')
}

const MOST_FILES = 100
const MOST_BYTES = 1 << 20
