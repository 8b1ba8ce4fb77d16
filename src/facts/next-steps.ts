// How a run could go on, for whoever is about to begin another one instead.
import type { RunSummary } from '../status.ts'

export type NextStep = {
  /** `resume`: it is not over. `resolve`: it waits for a person. `retry`: something of it did not succeed. */
  by: 'resume' | 'resolve' | 'retry'
  /** What to type, without the flags that say where. A word in capitals is for a person to fill in. */
  command: string
  /** What that does, as the rest of a sentence. */
  what: string
}

type Stand = Pick<RunSummary, 'run' | 'status' | 'resumable' | 'counts' | 'budgets'>

/** Null where nothing is left of it. */
export function stepAfter(summary: Stand): NextStep | null {
  const { run, status, resumable } = summary
  if (resumable) return stepToResume(summary)
  return status === 'completed' ? null : retrying(run)
}

/** Of one that is not over. */
export function stepToResume({ run, status, counts, budgets }: Stand): NextStep {
  const resume = `espalier resume ${run}`
  const holding = status === 'waiting' ? (budgets?.holding ?? []) : []
  // Without more money it would stop again at once.
  if (holding.some(({ scope }) => scope === 'run'))
    return { by: 'resume', command: `${resume} --budget-usd N`, what: 'goes on with that run, with N dollars in all' }
  if (holding.length > 0) {
    const what = 'goes on with that run, once the plan has a larger `budgetUsd`'
    return { by: 'resume', command: `${resume} --replan`, what }
  }
  if (status === 'waiting' && counts.conflict > 0) {
    const what = 'resolves the conflict that run waits with'
    return { by: 'resolve', command: `espalier resolve TASK --run ${run}`, what }
  }
  return { by: 'resume', command: resume, what: 'goes on with that run' }
}

function retrying(run: string): NextStep {
  return { by: 'retry', command: `espalier retry --run ${run}`, what: 'tries again only what did not succeed there' }
}
