// What would continue a run, for whoever is about to begin another one instead.

import { type NextStep, nextSteps, stepToContinue } from '../../facts/next-steps.ts'
import type { RunSummary } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import { doneSince } from './other-runs.ts'

/** Null where nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(views: Views, summary: RunSummary): Promise<NextStep | null> {
  const { run, resumable, status, startedAt, repo } = summary
  if (!resumable && status === 'completed') return null
  const tasks = [...(await views.tasks(run)).values()]
  const landedSince = resumable ? new Map<string, string>() : await doneSince(views, { run, startedAt, top: repo })
  return stepToContinue(nextSteps({ ...summary, engine: null, tasks }, { landedSince }))
}
