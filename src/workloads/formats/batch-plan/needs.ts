// What batches and tasks wait for. What was left out stands for what it waits for itself.
import type { Place } from '../../document/place.ts'
import type { Need } from '../markdown/markdown-draft.ts'
import { type GroupNeed, needsThrough } from '../order/group-dependencies.ts'
import { waitsReader } from './find-dependencies.ts'
import { type BatchFile, isOpen, type Planned, type PlannedBatch } from './tasks.ts'

export type Order = { ofBatch(batch: PlannedBatch): Need[]; ofTask(task: Planned): Need[] }

export function orderOf(read: BatchFile): Order {
  const { plan } = read
  const waitsOf = waitsReader(read)
  let steps = 0
  const mayGoOn = (place: Place): boolean => {
    if (steps++ === MAX_STEPS) plan.error(place, 'too much would have to be gone through to find what this waits for')
    return steps <= MAX_STEPS
  }
  const tasksIn = (batches: readonly GroupNeed<PlannedBatch, Place>[]): GroupNeed<Planned, Place>[] =>
    batches.flatMap(({ group, path }) =>
      plan.mayNeed(group.tasks.length, path) ? group.tasks.map((task) => ({ group: task, path })) : [],
    )
  const ofBatch = needsThrough<PlannedBatch, Place>({
    named: (batch) => waitsOf(batch).batches,
    isOpen,
    isEmpty: ({ tasks }) => tasks.length === 0 || tasks.some(({ state }) => state === 'skipped'),
    mayGoOn,
  })
  const ofTask = needsThrough<Planned, Place>({
    named: (task) => {
      const [own, whole] = [waitsOf(task), waitsOf(task.batch)]
      // What a whole batch needs, the need of its epic says; but of what was left out there is no epic.
      const batches = task.state === 'open' ? own.batches : [...own.batches, ...whole.batches]
      const [first] = whole.tasks
      const shared = first && plan.mayNeed(whole.tasks.length, first.path) ? whole.tasks : []
      return [...own.tasks, ...shared, ...tasksIn(batches)]
    },
    isOpen: ({ state }) => state === 'open',
    isEmpty: ({ state }) => state === 'skipped',
    mayGoOn,
  })
  return {
    ofBatch: (batch) => ofBatch(batch).map(({ group, path }) => ({ id: group.epic, place: path })),
    ofTask: (task) => (plan.isRefused ? [] : ofTask(task).map(({ group, path }) => ({ id: group.task, place: path }))),
  }
}

/** More than in any plan that somebody wrote, and gone through in a second. */
const MAX_STEPS = 1_000_000
