// How a run could go on by all that is known here: `retry` is offered only where it has something to do.

import { type NextStep, stepAfter } from '../../facts/next-steps.ts'
import { retryable } from '../../facts/retryable.ts'
import type { RunSummary } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import { doneSince } from './other-runs.ts'

/** Null where nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(views: Views, summary: RunSummary): Promise<NextStep | null> {
  const way = stepAfter(summary)
  return way?.by === 'retry' && !(await canRetry(views, summary)) ? null : way
}

async function canRetry(views: Views, { run, startedAt, repo }: RunSummary): Promise<boolean> {
  const tasks = [...(await views.tasks(run)).values()]
  return retryable({ tasks }, await doneSince(views, { run, startedAt, top: repo })).length > 0
}
