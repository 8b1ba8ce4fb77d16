// Plans that grow while their runs go on: at any moment, with what waits for anything, and with what cannot be added.
import assert from 'node:assert/strict'
import type { AddedTasks, Fact } from '../../src/event.ts'
import { checkAdded } from '../../src/scheduler/apply/grow.ts'
import { taskView } from '../../src/scheduler/view.ts'
import type { Task } from '../../src/task.ts'
import { randomPlan } from './random-plan.ts'
import type { World } from './world.ts'

/** Then it has grown enough, so that every run comes to its end. */
const MANY_TIMES = 6

/** False: nothing was added. */
export function addTasks(world: World, record: (fact: Fact) => void): boolean {
  const { growth, state } = world
  if (growth.times === MANY_TIMES) return false
  const added = randomAddition(world)
  if (checkAdded(state, added).length > 0) {
    growth.refused++
    return false
  }
  record({ type: 'tasks.added', ...added })
  world.plan = {
    ...world.plan,
    tasks: [...world.plan.tasks, ...added.tasks],
    epics: [...world.plan.epics, ...added.epics],
  }
  growth.times++
  checkStatuses(world, added)
  return true
}

/** I15: what waits for something that did not succeed is blocked at once, and nothing else is. */
function checkStatuses(world: World, { tasks }: AddedTasks): void {
  const { graph } = world.state
  const view = (id: string) => taskView(world.state, graph.taskIndex.get(id) ?? -1)
  const isNew = new Set(tasks.map(({ id }) => id))
  for (const { id } of tasks) {
    const unit = graph.units[graph.unitOf[graph.taskIndex.get(id) ?? -1] ?? -1]
    const members = unit?.members.map((member) => graph.tasks[member] as Task) ?? []
    const needs = members.flatMap((member) => member.needs).filter((need) => !members.some((one) => one.id === need))
    const isBad = needs.some((need) => ['failed', 'blocked', 'cancelled'].includes(view(need).status))
    const { status, failure } = view(id)
    assert.equal(status === 'blocked', isBad, `I15: ${id} is ${status}, and needs ${needs}`)
    if (!isBad) assert.ok(['pending', 'ready'].includes(status), `${id} is new, and ${status}`)
    else if (isNew.has(failure?.cause ?? id))
      assert.fail(`I15: ${id} names ${failure?.cause}, which has not been tried`)
    if (isBad) world.growth.blocked++
  }
}

function randomAddition(world: World): AddedTasks {
  const { rnd, state, plan } = world
  const prefix = `g${world.journal.length}-${world.growth.times}`
  const { epics: newEpics, tasks: newTasks } = randomPlan(rnd)
  const some = newTasks.slice(0, 1 + rnd.int(5))
  const rename = (id: string | null) => (id === null ? null : `${prefix}-${id}`)
  const there = state.graph.tasks.map(({ id }) => id)
  const tasks = some.map((task, n): Task => {
    const earlier = some.slice(0, n).map(({ id }) => rename(id) as string)
    const others = () => Array.from({ length: rnd.int(3) }, () => rnd.pick([...there, ...earlier, ...earlier]))
    const own = [...new Set(task.needs.map((id) => rename(id) as string))]
    const needs = there.length + earlier.length > 0 && rnd.chance(0.6) ? [...new Set([...own, ...others()])] : own
    const after = there.length > 0 && rnd.chance(0.2) ? [rnd.pick(there)] : []
    // Some join an epic that is there: they may only if it shares no worktree, or with one of their own.
    const epic = plan.epics.length > 0 && rnd.chance(0.2) ? rnd.pick(plan.epics).id : rename(task.epic)
    const isolation = task.isolation === 'epic' && rnd.chance(0.9) ? 'epic' : 'task'
    return { ...task, id: rename(task.id) as string, epic, isolation, needs, after }
  })
  if (rnd.chance(0.05)) tasks[0] = { ...(tasks[0] as Task), needs: [`${prefix}-none`] }
  if (rnd.chance(0.05)) tasks[0] = { ...(tasks[0] as Task), needs: [tasks.at(-1)?.id ?? ''] }
  const epics = newEpics.map((epic) => ({ ...epic, id: rename(epic.id) as string }))
  return { tasks, epics: epics.filter(({ id }) => tasks.some(({ epic }) => epic === id)) }
}
