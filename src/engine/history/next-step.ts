// What would continue a run, for whoever is about to begin another one instead.

import { type NextStep, nextSteps, stepToContinue } from '../../facts/next-steps.ts'
import type { RunSummary } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { StateFolder } from '../../workspace/folder.ts'
import { keptOrigin } from '../plan-file/origin.ts'
import { doneSince } from './other-runs.ts'

type Places = { store: Views; folder: StateFolder }

/** Null where nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(places: Places, summary: RunSummary): Promise<NextStep | null> {
  const { run, resumable, status } = summary
  if (!resumable && status === 'completed') return null
  const tasks = [...(await places.store.tasks(run)).values()]
  const landedSince = resumable
    ? new Map<string, string>()
    : await doneSince(places, await keptOrigin(places.store, run), summary)
  return stepToContinue(nextSteps({ ...summary, engine: null, tasks }, { landedSince }))
}
