// The runs there were in a repository, and what each has landed of its plan file: also those that were removed since.
import type { RunSummary } from '../status.ts'
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { keptOrigin } from './kept-origin.ts'
import { type LandedNote, landedCommits, landedNotes } from './landed-note.ts'
import type { StateFolder } from './state-folder.ts'

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
function knownRun({ store, folder }: Places, summary: RunSummary, note: LandedNote | undefined): PastRun {
  const { run, branch, repo, startedAt, counts } = summary
  const landed = async () => {
    const origin = counts.landed > 0 ? await keptOrigin(folder, run) : null
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
