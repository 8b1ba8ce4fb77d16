// Plans as people write them: layers of tasks that need some of the layer before, and durations of which most are
// short and a few are long. The same seed gives the same plan.
import type { Plan, Task } from '../src/task.ts'
import { type Random, random } from '../test/simulation/random.ts'
import { newTask } from './espalier-run.ts'

export type SeededGraph = { plan: Plan; slots: number }

/** Folders that tasks of one plan claim. */
const FOLDERS = 12

/**
 * 50 to 200 tasks in 3 to 20 layers. A task needs one to three tasks of the layer before; one in five needs a task of
 * any earlier layer as well. Durations are lognormal: median 5 minutes, sigma 0.7 (one in ten takes over 12 minutes).
 * 2 to 8 slots. With claims, two tasks in five write to one of twelve folders.
 */
export function seededGraph(seed: number, { claims }: { claims: boolean }): SeededGraph {
  const rnd = random(seed)
  const size = 50 + rnd.int(151)
  const layers = 3 + rnd.int(18)
  const slots = 2 + rnd.int(7)
  const tasks: Task[] = []
  let before: string[] = []
  let earlier: string[] = []
  for (let layer = 0; layer < layers; layer++) {
    const here: string[] = []
    const width = Math.floor((size * (layer + 1)) / layers) - Math.floor((size * layer) / layers)
    for (let n = 0; n < width; n++) {
      const id = `t${tasks.length}`
      const needs = new Set<string>()
      if (before.length > 0) for (let k = 1 + rnd.int(3); k > 0; k--) needs.add(rnd.pick(before))
      if (earlier.length > 0 && rnd.chance(0.2)) needs.add(rnd.pick(earlier))
      const write = rnd.chance(0.4) ? [`area-${rnd.int(FOLDERS)}/`] : []
      const claim = { write: claims ? write : [], read: [] }
      tasks.push(newTask(id, { needs: [...needs], claims: claim, estimateMs: duration(rnd), timeoutMs: 2 ** 31 }))
      here.push(id)
    }
    earlier = [...earlier, ...before]
    before = here
  }
  return { plan: { name: 'seeded', base: null, epics: [], tasks }, slots }
}

/** No schedule is shorter than the longest chain, nor than all work spread evenly over the slots. */
export function lowerBoundMs(plan: Plan, slots: number): number {
  const ends = new Map<string, number>()
  let longest = 0
  let total = 0
  for (const { id, needs, estimateMs } of plan.tasks) {
    const end = Math.max(0, ...needs.map((need) => ends.get(need) ?? 0)) + (estimateMs ?? 0)
    ends.set(id, end)
    longest = Math.max(longest, end)
    total += estimateMs ?? 0
  }
  return Math.max(longest, total / slots)
}

function duration(rnd: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - rnd.next())) * Math.cos(2 * Math.PI * rnd.next())
  return Math.max(1000, Math.round(300_000 * Math.exp(0.7 * normal)))
}
