// Tasks that have not started and cannot, because of what people hold.
import type { Hold } from '../claim.ts'
import { waitsForHolds } from '../scheduler/waits-for-holds.ts'
import type { TaskView } from '../status.ts'
import type { Plan } from '../task.ts'

export type HeldBack = {
  /** Those that could start were it not for that; by task. */
  ready: ReadonlyMap<string, Hold>
  /** There is one that has not started, ready or not: nobody knows when all is done, for the hold may end at any time. */
  some: boolean
}

export const NONE_HELD_BACK: HeldBack = { ready: new Map(), some: false }

type Task = Pick<TaskView, 'id' | 'status'>

/** Looks at the plan again only when other holds are there: on a large one that takes a while. */
export function heldBackIn(
  plan: Plan,
): (tasks: () => readonly Task[], holds: readonly Hold[], now: number) => HeldBack {
  let known = { ids: '', waits: new Map<string, Hold>() }
  return (tasks, holds, now) => {
    const still = holds.filter(({ until }) => until > now)
    if (still.length === 0) return NONE_HELD_BACK
    const ids = still.map(({ id }) => id).join()
    if (ids !== known.ids) known = { ids, waits: waitsForHolds(plan, still) }
    return heldBack(tasks(), known.waits)
  }
}

function heldBack(tasks: readonly Task[], waits: ReadonlyMap<string, Hold>): HeldBack {
  const ready = new Map<string, Hold>()
  let some = false
  for (const { id, status } of tasks) {
    const hold = status === 'ready' || status === 'pending' ? waits.get(id) : undefined
    if (!hold) continue
    some = true
    if (status === 'ready') ready.set(id, hold)
  }
  return { ready, some }
}
