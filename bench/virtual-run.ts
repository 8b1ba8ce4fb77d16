// A run of the real scheduler on a virtual clock (src/scheduler/virtual-run.ts), with what deciding costs in real time.
import type { Event } from '../src/event.ts'
import type { RunState } from '../src/scheduler/state.ts'
import { type VirtualOptions, virtualRun as withoutClock } from '../src/scheduler/virtual-run.ts'
import type { Plan } from '../src/task.ts'

export { virtualLimits as newLimits, virtualStart } from '../src/scheduler/virtual-run.ts'

export type VirtualRun = {
  makespanMs: number
  decisions: number
  /** Real time per decision, in µs, for every hundred of them after the first hundred. */
  costs: number[]
  events: Event[]
  state: RunState
}

/** `keep`: the journal too. */
type Options = Pick<VirtualOptions, 'limits' | 'until'> & { keep?: boolean }

const BLOCK = 100

export function virtualRun(plan: Plan, { keep = false, ...options }: Options): VirtualRun {
  const events: Event[] = []
  const costs: number[] = []
  let mark = 0
  let decisions = 0
  const onDecision = () => {
    if (++decisions % BLOCK !== 0) return
    const at = performance.now()
    if (mark > 0) costs.push(((at - mark) / BLOCK) * 1000)
    mark = at
  }
  const onEvent = (event: Event) => {
    if (keep) events.push(event)
  }
  return { ...withoutClock(plan, { ...options, onDecision, onEvent }), decisions, costs, events }
}
