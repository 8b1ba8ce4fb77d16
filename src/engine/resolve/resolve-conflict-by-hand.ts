// A person resolves a conflict in a worktree in the middle of the merge, and hands the result back. The answer is
// a request in the store. An engine that works on the run takes it in; else the next one does, before anything else.
//
// Properties
// - The result is checked here, where the person can still put it right: no markers, and only paths that the
//   work itself had changed (G3). It lands as any other work, so the `landing.verify` commands have their say too.
// - One such command at a time, and an answer is to one conflict: a second, or a late one, changes nothing.
// - The worktree goes when its content is safe in the engine's repository, and not before.

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import type { DiffStat } from '../../event.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type EngineRepository, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { resolvedRef } from '../../git/engine/ref-names.ts'
import { readConflict, resolveConflict } from '../../git/landing/conflict-commit.ts'
import { tasksThatChanged } from '../../git/landing/landed.ts'
import { GitFailure } from '../../git/run/git.ts'
import { readable } from '../../git/run/path-bytes.ts'
import {
  copyIntoEngine,
  openConflictWorktree,
  removeConflictWorktree,
  unmergedIn,
  worktreeTree,
} from '../../git/user/checkout-and-worktrees.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import type { RunView, TaskView } from '../../view.ts'
import { unlessUnwritable } from '../../workspace/check-state-folder.ts'
import { listRuns, readKnownRun, watchRun } from '../../workspace/read-runs.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { tasksCalled } from '../plan-file/saved-tasks.ts'

/** `run`: by default the newest with a waiting task. `task`: optional if only one waits. */
export type WhichConflict = { run?: string | undefined; task?: string | undefined }

export type OpenedConflict = {
  run: string
  task: string
  path: string
  files: string[]
  /** Tasks whose landed work it conflicts with, as far as known. */
  others: string[]
  isNew: boolean
}

export async function openConflict(
  workspace: Workspace,
  which: WhichConflict & { path?: string | undefined },
): Promise<Result<OpenedConflict>> {
  return withConflict(workspace, which, async (found) => {
    const { engine, folder, run, task, conflict, note } = found
    const { onto, work, paths } = await readConflict(engine, conflict)
    const files = paths.map(readable)
    const base = task.history.at(-1)?.base
    const others = base ? await tasksThatChanged(engine, { run, base, head: onto, paths: files }) : []
    const opened = { run, task: task.id, files, others }
    if (note?.answered) return refuse(answeredBefore(found))
    if (note?.path && existsSync(note.path)) return ok({ ...opened, path: note.path, isNew: false })
    const path = resolve(which.path ?? join(folder.resolving, run, `${task.id}-${conflict.slice(0, 8)}`))
    if (existsSync(path)) return refuse(`${path} is there already: name a folder that is not, with --worktree`)
    // Removed by hand: git has to forget it before there can be another.
    if (note?.path) await removeConflictWorktree(engine, note.path)
    await writeConflictNote(folder, { run, task: task.id, conflict, path, answered: false })
    await openConflictWorktree(engine, { path, commit: conflict, onto, work, message: `${task.id}: ${task.title}` })
    await writeHome(path, { repo: engine.user.top, stateDir: folder.root, run, task: task.id })
    return ok({ ...opened, path, isNew: true })
  })
}

export type AnsweredConflict = {
  run: string
  task: string
  /** `to-engine`: one works on the run and has it. `recorded`: none does, and the next `resume` begins with it. */
  delivered: 'to-engine' | 'recorded'
}

export async function handBack(workspace: Workspace, which: WhichConflict): Promise<Result<AnsweredConflict>> {
  return withConflict(workspace, which, async (found) => {
    const { engine, run, task, conflict, note } = found
    if (note?.answered) return deliver(workspace, found)
    if (!note?.path || !existsSync(note.path))
      return refuse(
        `there is no worktree for the conflict of ${task.id}: \`espalier resolve ${task.id} --run ${run}\` makes one`,
      )
    const attempt = task.history.at(-1)?.attempt ?? 1
    const resolution = await resolveConflict(engine, {
      conflict,
      tree: await worktreeTree(note.path),
      unmerged: await unmergedIn(note.path),
      words: {
        title: `${task.title} (conflict resolved)`,
        body: 'Conflicts resolved by hand.',
        run,
        tasks: [{ task: task.id, attempt }],
      },
      ref: resolvedRef(run, task.id, attempt),
    })
    if (!resolution.ok)
      return refuse(
        `${task.id} of run ${run}: ${resolution.failure.message}. Fix that in ${note.path}, then run this command again`,
      )
    const { commit, diff } = resolution
    const { onto, work } = await readConflict(engine, conflict)
    await copyIntoEngine(engine, { commit, have: [onto, work] })
    return answer(workspace, found, { commit, diff })
  })
}

export async function giveUp(workspace: Workspace, which: WhichConflict): Promise<Result<AnsweredConflict>> {
  return withConflict(workspace, which, async (found) => {
    return found.note?.answered ? refuse(answeredBefore(found)) : answer(workspace, found, { commit: null, diff: null })
  })
}

type Waiting = { run: string; task: TaskView; conflict: string }
type Found = Waiting & { engine: EngineRepository; folder: StateFolder; note: ResolvingNote | null }

async function withConflict<T>(
  workspace: Workspace,
  which: WhichConflict,
  use: (found: Found) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { folder } = workspace
  const user = await workspace.user()
  if (!user.ok) return user
  const first = await waitingTask(workspace, which, folder)
  if (!first.ok) return first
  return unlessUnwritable(folder, async () => {
    await mkdir(folder.resolving, { recursive: true, mode: 0o700 })
    const locked = await acquireLock(join(folder.resolving, 'lock'), 'resolve')
    if (!locked.ok) return refuse('another `espalier resolve` is running here: try again when it is done')
    await using _lock = locked.lock
    // The previous holder of the lock may have answered it.
    const found = await waitingTask(workspace, which, folder)
    if (!found.ok) return found
    const engine = await openEngineRepository(folder.root, user.value)
    const note = await readConflictNote(folder, found.value.conflict)
    try {
      return await use({ engine, folder, ...found.value, note })
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      return refuse(error.message)
    }
  })
}

async function waitingTask(workspace: Workspace, which: WhichConflict, folder: StateFolder): Promise<Result<Waiting>> {
  const runs = await listRuns(workspace)
  if (!runs.ok) return runs
  const run = which.run ?? runs.value.find(({ counts }) => counts.conflict > 0)?.run
  const found = await readKnownRun(workspace, { run })
  if (!found.ok) return found
  const view = found.value
  if (which.task === undefined) return theOnlyOne(view)
  const called = await tasksCalled(workspace, view, which.task)
  const task = called.length === 1 ? view.tasks.find(({ id }) => id === called[0]) : undefined
  if (task?.conflict) return ok({ run: view.run, task, conflict: task.conflict.commit })
  return refuse(await whyNot(view, task?.id ?? which.task, task, folder))
}

function theOnlyOne({ run, tasks }: RunView): Result<Waiting> {
  const waiting = tasks.filter(({ conflict }) => conflict)
  const [task] = waiting
  if (!task?.conflict) return refuse(`no task of run ${run} is in conflict`)
  if (waiting.length === 1) return ok({ run, task, conflict: task.conflict.commit })
  return refuse(`several tasks of run ${run} are in conflict, name one: ${waiting.map(({ id }) => id).join(', ')}`)
}

async function whyNot(view: RunView, id: string, task: TaskView | undefined, folder: StateFolder): Promise<string> {
  const waiting = view.tasks.filter(({ conflict }) => conflict).map((one) => one.id)
  const others = waiting.length > 0 ? `in conflict: ${waiting.join(', ')}` : 'no task is in conflict'
  if (!task) return `run ${view.run} has no task ${id}; ${others}`
  const left = (await listNotes(folder)).find((note) => note.run === view.run && note.task === id && !note.answered)
  const kept =
    left?.path && existsSync(left.path) ? `. Your worktree ${left.path} is left as it is: take what you need` : ''
  return `${id} of run ${view.run} is ${task.status}, not in conflict${waiting.length > 0 ? `; ${others}` : ''}${kept}`
}

function answeredBefore({ run, task }: Found): string {
  return `the conflict of ${task.id} has been answered already: \`espalier resume ${run}\` continues the run if no engine works on it`
}

async function answer(
  workspace: Workspace,
  found: Found,
  { commit, diff }: { commit: string | null; diff: DiffStat | null },
): Promise<Result<AnsweredConflict>> {
  const { engine, folder, run, task, conflict, note } = found
  const left = await workspace.write(async (store) =>
    ok(await store.request(run, { type: 'task.resolved', task: task.id, conflict, commit, diff, request: null })),
  )
  if (!left.ok) return left
  await writeConflictNote(folder, { run, task: task.id, path: null, ...note, conflict, answered: true })
  if (note?.path) await removeConflictWorktree(engine, note.path)
  return deliver(workspace, found)
}

/** An engine takes it in at once, unless it stops in that very moment. */
async function deliver(workspace: Workspace, found: Found): Promise<Result<AnsweredConflict>> {
  const { run, task, conflict } = found
  const answered = (delivered: AnsweredConflict['delivered']) => ok({ run, task: task.id, delivered })
  for await (const seen of watchRun(workspace, { run, everyMs: LOOK_MS, signal: AbortSignal.timeout(WAIT_MS) })) {
    if (!seen.ok) return seen
    const now = seen.value?.tasks.find(({ id }) => id === task.id)
    if (now?.conflict?.commit !== conflict) break
    if (!seen.value?.engine) return answered('recorded')
  }
  return answered('to-engine')
}

const WAIT_MS = 5_000
const LOOK_MS = 100

// Notes about the worktrees, in the state folder, named after the conflict. Git's own folder for such a worktree has the way back
// to its run: people type commands in there.

const note = z.object({
  run: z.string(),
  task: z.string(),
  conflict: z.string(),
  /** Null: given up without one. */
  path: z.string().nullable(),
  answered: z.boolean(),
})
export type ResolvingNote = z.infer<typeof note>

function readConflictNote(folder: StateFolder, conflict: string): Promise<ResolvingNote | null> {
  return parsed(note, fileOf(folder, conflict))
}

/** Null: missing or damaged. */
async function parsed<T>(schema: z.ZodType<T>, file: string): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

async function writeConflictNote(folder: StateFolder, said: ResolvingNote): Promise<void> {
  await writeAtomically(fileOf(folder, said.conflict), JSON.stringify(said))
}

export async function removeNote(folder: StateFolder, { conflict }: ResolvingNote): Promise<void> {
  await rm(fileOf(folder, conflict), { force: true })
}

export async function listNotes(folder: StateFolder): Promise<ResolvingNote[]> {
  const names = await readdir(folder.resolving).catch(() => [])
  const ids = names.flatMap((name) => /^([0-9a-f]{40,64})\.json$/.exec(name)?.[1] ?? [])
  return (await Promise.all(ids.map((id) => readConflictNote(folder, id)))).filter((found) => found !== null)
}

function fileOf(folder: StateFolder, conflict: string): string {
  return join(folder.resolving, `${conflict}.json`)
}

const home = z.object({ repo: z.string(), stateDir: z.string(), run: z.string(), task: z.string() })

async function writeHome(path: string, said: z.infer<typeof home>): Promise<void> {
  const gitDir = await gitDirOf(path)
  if (gitDir !== null) await writeAtomically(join(gitDir, HOME), JSON.stringify(said))
}

/** Null: `folder` is not inside such a worktree. */
export async function conflictHome(folder: string): Promise<z.infer<typeof home> | null> {
  for (let parent = resolve(folder); ; parent = dirname(parent)) {
    const gitDir = await gitDirOf(parent)
    if (gitDir !== null) return parsed(home, join(gitDir, HOME))
    if (dirname(parent) === parent) return null
  }
}

const HOME = 'espalier.json'

/** The git folder of a linked worktree, whose `.git` is a file that names it. */
async function gitDirOf(path: string): Promise<string | null> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => '')
  return /^gitdir: (.+)\n?$/.exec(text)?.[1] ?? null
}
