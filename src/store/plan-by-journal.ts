// The plan of a run by now: in the journal, and nowhere else. Loads no schemas.
import type { Event, Fact } from '../event.ts'
import type { Plan } from '../task.ts'
import { DamagedRow, factOf, isPlanChange } from './row.ts'
import type { UpcastStep } from './upcast.ts'

/** The newest that it was given, with what was added since. */
export function planByJournal(first: Plan, events: readonly (Event | Fact)[]): Plan {
  const newest = events.findLast((event) => event.type === 'run.replanned')
  const plan = newest?.plan ?? first
  const since = newest ? events.slice(events.lastIndexOf(newest) + 1) : events
  const added = since.filter((event) => event.type === 'tasks.added')
  if (added.length === 0) return plan
  const [tasks, epics] = [added.flatMap((event) => event.tasks), added.flatMap((event) => event.epics)]
  return { ...plan, tasks: [...plan.tasks, ...tasks], epics: [...plan.epics, ...epics] }
}

type Row = { seq?: unknown; version?: unknown; data?: unknown }

/** `rows`: the events that change the plan, in order, from the newest that gave it as a whole. */
export function planByRows(run: string, first: Plan, rows: readonly Row[], steps: readonly UpcastStep[]): Plan {
  const changes = rows.map((row) => {
    const what = `event ${row.seq} of run ${run}`
    const fact: unknown = factOf(row, what, steps)
    if (!isPlanChange(fact)) throw new DamagedRow(what)
    return fact
  })
  return planByJournal(first, changes)
}
