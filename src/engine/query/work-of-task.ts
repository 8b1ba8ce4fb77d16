// The work of a task, as git has it: its changes, its conflict, and a folder with it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RunHistory } from '../../facts/landing-queue-history.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { blobsIn, readConflict } from '../../git/landing/conflict-commit.ts'
import { GitFailure, gitText } from '../../git/run/git.ts'
import { readable } from '../../git/run/path-bytes.ts'
import { readObjects } from '../../git/run/read-objects.ts'
import { patchBetween } from '../../git/trees/tree-changes.ts'
import { openCommitWorktree } from '../../git/user/checkout-and-worktrees.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import type { TaskView } from '../../view.ts'
import { readEvents, readTaskView, readWithPlan } from '../../workspace/read-runs.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Changes of an attempt since its start commit, or of the landed task. `attempt`: default: the newest with work. */
export async function readDiff(
  workspace: Workspace,
  which: { run: string; task: string; attempt?: number | undefined; landed?: boolean | undefined },
  maxBytes: number,
): Promise<Result<Range & { patch: Buffer; isCut: boolean }>> {
  const found = await readTaskView(workspace, which)
  if (!found.ok) return found
  const task = found.value
  if (!task) return refuse(`run ${which.run} has no task ${which.task}`)
  const range = which.landed ? await landedRange(workspace, which.run, task) : attemptRange(task, which.attempt)
  if (!range.ok) return range
  return fromEngine(workspace, `the work of ${task.id} cannot be read any more`, async (engine) => {
    return ok({ ...range.value, ...(await patchBetween(engine, { ...range.value, maxBytes })) })
  })
}

/** Asks the engine's repository. Failures of git are refused, as `trouble`. */
export async function fromEngine<T>(
  workspace: Workspace,
  trouble: string,
  use: (engine: EngineRepository) => Promise<Result<T>>,
): Promise<Result<T>> {
  const user = await workspace.user()
  if (!user.ok) return user
  try {
    return await use(await openEngineRepository(workspace.folder.root, user.value))
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return refuse(`${trouble}: ${error.message}`)
  }
}

type Range = { from: string; to: string }

function attemptRange({ id, history }: TaskView, number: number | undefined): Result<Range> {
  const attempt =
    number === undefined
      ? history.findLast(({ commit }) => commit !== null)
      : history.find((one) => one.attempt === number)
  if (!attempt) return refuse(number === undefined ? `${id} has changed no files` : `${id} has no attempt ${number}`)
  if (attempt.commit === null) return refuse(`attempt ${attempt.attempt} of ${id} left no work`)
  return ok({ from: attempt.base, to: attempt.commit })
}

async function landedRange(workspace: Workspace, run: string, { id, landedCommit }: TaskView): Promise<Result<Range>> {
  if (landedCommit === null) return refuse(`${id} has not landed`)
  const onto = await readOnto(workspace, run, landedCommit)
  if (!onto.ok) return onto
  if (onto.value === null) return refuse(`the journal of run ${run} does not say how ${id} landed`)
  return ok({ from: onto.value, to: landedCommit })
}

/** The commit that a landing was put on: only the journal has it. */
export async function readOnto(workspace: Workspace, run: string, landing: string): Promise<Result<string | null>> {
  return mapped(await readEvents(workspace, { run }), (events) => {
    return RunHistory.of(events).landings.find(({ commit }) => commit === landing)?.onto ?? null
  })
}

export type ConflictSides = { run: string; task: string } & Awaited<ReturnType<typeof conflictSides>>
export type ConflictFile = ConflictSides['files'][number]

/** The conflict of a task that waits for a person, as a three-way view with git's attempt to merge them. Changes nothing. */
export async function readConflictSides(
  workspace: Workspace,
  { run, task }: { run: string; task: string },
): Promise<Result<ConflictSides>> {
  const found = await readTaskView(workspace, { run, task })
  if (!found.ok) return found
  const conflict = found.value?.conflict?.commit
  if (conflict === undefined) return refuse(`${task} of run ${run} is not in conflict`)
  return fromEngine(workspace, `the conflict of ${task} cannot be read`, async (engine) => {
    return ok({ run, task, ...(await conflictSides(engine, conflict)) })
  })
}

async function conflictSides(engine: EngineRepository, conflict: string) {
  const { onto, work, paths } = await readConflict(engine, conflict)
  const base = await gitText(['merge-base', onto, work], inEngine(engine))
  const shown = paths.slice(0, MOST_FILES)
  const sides = await Promise.all([base, onto, work, conflict].map((tree) => blobsIn(engine, tree, shown)))
  const contents = await readObjects(engine, [...new Set(sides.flatMap((blobs) => [...blobs.values()]))], MOST_BYTES)
  const files = shown.map((path) => {
    const texts = sides.map((blobs) => textOf(blobs.get(path), contents))
    const isText = texts.every((text) => text !== undefined)
    /** Null: the side has no such file, or one that is not shown. */
    const [before = null, branch = null, own = null, merged = null] = isText ? texts : []
    /** `other`: not text, or too large. */
    const kind: 'text' | 'other' = isText ? 'text' : 'other'
    return { path: readable(path), kind, base: before, branch, work: own, merged }
  })
  return { commit: conflict, base, branch: onto, work, files, leftOut: paths.length - shown.length }
}

/** Null: that side has no such file. Undefined: it cannot be shown. */
function textOf(blob: string | undefined, contents: ReadonlyMap<string, Buffer | null>): string | null | undefined {
  if (blob === undefined) return null
  const content = contents.get(blob)
  return !content || content.includes(0) ? undefined : content.toString('utf8')
}

const MOST_FILES = 100
const MOST_BYTES = 1 << 20

export type OpenedWork = {
  run: string
  task: string
  attempt: number
  path: string
  /** `kept`: as it was, with untracked files. `base`: no work was kept, this is its start. */
  kind: 'kept' | 'worktree' | 'base'
  command: string | null
}

/**
 * A folder with the work of a task or an entry. For a failed entry of a suite it is the worktree as it was; otherwise a linked
 * worktree of the user's repository at the commit with the work.
 */
export async function openWork(
  workspace: Workspace,
  { run, name }: { run: string; name: string },
): Promise<Result<OpenedWork>> {
  const found = await readWithPlan(workspace, { run })
  if (!found.ok) return found
  const { view, plan, folder } = found.value
  const ids = plan?.suite?.entries.find(({ id }) => id === name)?.tasks ?? [name]
  const tasks = view.tasks.filter(({ id, history }) => ids.includes(id) && history.length > 0)
  const task = tasks.find(({ status }) => status === 'failed') ?? tasks.at(-1)
  const last = task?.history.at(-1)
  if (!task || !last) return refuse(`${name} of run ${run} has not been started: there is nothing to open`)
  const { attempt, commit, base } = last
  const work = plan?.tasks.find(({ id }) => id === task.id)?.work
  const opened = { run, task: task.id, attempt, command: work?.kind === 'command' ? work.command : null }
  const { kept } = attemptFolder(folder, run, task.id, attempt)
  if (existsSync(kept)) return ok({ ...opened, path: kept, kind: 'kept' })
  if (last.finishedAt === null)
    return refuse(`${name} is at work: open it when it is done, or look at \`espalier logs ${task.id}\``)
  return fromEngine(workspace, `the work of ${name} cannot be opened`, async (engine) => {
    const path = join(folder.opened, run, task.id)
    const made = await openCommitWorktree(engine, { path, commit: commit ?? base })
    return mapped(made, () => ({ ...opened, path, kind: commit === null ? 'base' : 'worktree' }))
  })
}
