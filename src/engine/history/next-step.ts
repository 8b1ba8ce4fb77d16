// How a run could go on by all that is known here: `retry` is offered only where it has something to do.

import { type NextStep, stepAfter } from '../../facts/next-steps.ts'
import { retryable } from '../../facts/retryable.ts'
import type { RunSummary } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { StateFolder } from '../../workspace/folder.ts'
import { keptOrigin } from '../plan-file/origin.ts'
import { doneSince } from './other-runs.ts'

type Places = { store: Views; folder: StateFolder }

/** Null where nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(at: Places, summary: RunSummary): Promise<NextStep | null> {
  const way = stepAfter(summary)
  return way?.by === 'retry' && !(await canRetry(at, summary)) ? null : way
}

async function canRetry(at: Places, { run, startedAt }: RunSummary): Promise<boolean> {
  const views = await at.store.tasks(run)
  const since = await doneSince(at, await keptOrigin(at.store, run), { run, startedAt })
  return retryable({ tasks: [...views.values()] }, since).length > 0
}
