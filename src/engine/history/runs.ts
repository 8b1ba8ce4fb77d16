// What a run that was removed has landed of its plan file. The file calls those tasks done, so whoever runs it again has to
// know on which branch their work is (unlanded.ts), however long the run's journal is gone.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { branchesOfRuns } from '../../git/trees/contained.ts'
import type { RunSummary } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import type { StateFolder } from '../../workspace/folder.ts'
import { keptOrigin, originSchema } from '../plan-file/origin.ts'

export type LandedNote = {
  run: string
  branch: string
  /** The checkout it was run in. */
  repo: string
  startedAt: number
  /** With the tasks that landed, and no others. */
  origin: PlanOrigin
  /** Tasks, and the commits that landed them. */
  commits: [string, string][]
}

/** Of a run that is still known; null where it left nothing that a later one could miss. */
export async function landedNote(
  { store, engine }: { store: Views; engine: EngineRepository },
  { run, branch, repo, startedAt }: RunSummary,
): Promise<LandedNote | null> {
  const origin = await keptOrigin(store, run)
  if (!origin || !(await branchesOfRuns(engine)).has(branch)) return null
  const commits = await landedCommits(store, run)
  if (commits.size === 0) return null
  const files = origin.files.map(({ path, entries }) => ({
    path,
    entries: entries.filter(({ task }) => commits.has(task)),
  }))
  return {
    run,
    branch,
    repo,
    startedAt,
    origin: { format: origin.format, part: origin.part, files },
    commits: [...commits],
  }
}

/** By task. */
export async function landedCommits(store: Views, run: string): Promise<Map<string, string>> {
  const views = [...(await store.tasks(run, 'landed')).values()]
  return new Map(views.flatMap(({ id, landedCommit }) => (landedCommit ? [[id, landedCommit] as const] : [])))
}

export async function keepLandedNote(folder: StateFolder, note: LandedNote): Promise<void> {
  await writeAtomically(fileOf(folder, note.run), `${JSON.stringify(note)}\n`)
}

/** The name of a run whose branch is gone is given to another one. */
export async function forgetLandedNote(folder: StateFolder, run: string): Promise<void> {
  await rm(fileOf(folder, run), { force: true })
}

/** The newest first. */
export async function landedNotes(folder: StateFolder): Promise<LandedNote[]> {
  const names = await readdir(folder.landed).catch(() => [])
  const notes = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => read(folder, name)))
  return notes.filter((note) => note !== null).sort((a, b) => b.startedAt - a.startedAt)
}

/** Of a branch that is gone nothing is missed, and more than so many are not looked at. */
export async function removeOldNotes({
  folder,
  engine,
}: {
  folder: StateFolder
  engine: EngineRepository
}): Promise<void> {
  const notes = await landedNotes(folder)
  if (notes.length === 0) return
  const branches = await branchesOfRuns(engine)
  const old = notes.filter(({ branch }, place) => place >= NOTES || !branches.has(branch))
  for (const { run } of old) await forgetLandedNote(folder, run)
}

const NOTES = 50

function fileOf(folder: StateFolder, run: string): string {
  return join(folder.landed, `${run}.json`)
}

/** Null for what makes no sense: somebody has changed it. */
async function read(folder: StateFolder, name: string): Promise<LandedNote | null> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder.landed, name), 'utf8')))
  } catch {
    return null
  }
}

const schema: z.ZodType<LandedNote> = z.object({
  run: z.string(),
  branch: z.string(),
  repo: z.string(),
  startedAt: z.number(),
  origin: originSchema,
  commits: z.array(z.tuple([z.string(), z.string()])),
})

// The runs there were in a repository, and what each has landed of its plan file: also those that were removed since.

type Places = { store: Views; folder: StateFolder }

export type PastRun = Pick<RunSummary, 'run' | 'branch' | 'repo' | 'startedAt'> & {
  /** Null where it was removed. */
  summary: RunSummary | null
  /** Null where it has landed nothing of a file that carries statuses. `commits`: by task. */
  landed(): Promise<{ origin: PlanOrigin; commits: ReadonlyMap<string, string> } | null>
}

/** The newest first. */
export async function pastRuns(at: Places): Promise<PastRun[]> {
  const notes = new Map((await landedNotes(at.folder)).map((note) => [note.run, note]))
  const known = (await at.store.runs()).map((summary) => knownRun(at, summary, notes.get(summary.run)))
  for (const { run } of known) notes.delete(run)
  const runs = [...known, ...[...notes.values()].map(removedRun)]
  return notes.size === 0 ? runs : runs.sort((a, b) => b.startedAt - a.startedAt)
}

/** `note`: whoever removed it died before the journal was gone. */
function knownRun({ store }: Places, summary: RunSummary, note: LandedNote | undefined): PastRun {
  const { run, branch, repo, startedAt, counts } = summary
  const landed = async () => {
    const origin = counts.landed > 0 ? await keptOrigin(store, run) : null
    if (origin) return { origin, commits: await landedCommits(store, run) }
    return note ? landedIn(note) : null
  }
  return { run, branch, repo, startedAt, summary, landed }
}

function removedRun(note: LandedNote): PastRun {
  const { run, branch, repo, startedAt } = note
  return { run, branch, repo, startedAt, summary: null, landed: async () => landedIn(note) }
}

function landedIn({ origin, commits }: LandedNote) {
  return { origin, commits: new Map(commits) }
}
