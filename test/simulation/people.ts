// People who hold claims for a while, and let go of them or forget to.
import assert from 'node:assert/strict'
import type { Fact } from '../../src/event.ts'
import { type Claim, conflicts, toClaims } from '../../src/scheduler/claims/overlap.ts'
import { agentsOf } from '../../src/task.ts'
import { refusedBy } from './money.ts'
import type { World } from './world.ts'

const GLOBS = ['src/a/**', 'src/**/*.ts', 'docs/guide.md', 'db/*.sql', '**/lock', '**']

export function holdOrLetGo(world: World, record: (fact: Fact) => void): void {
  const { rnd, now, people } = world
  const [held] = [...people.holds.values()].filter(({ until }) => until > now)
  if (held && rnd.chance(0.5)) {
    people.holds.delete(held.id)
    record({ type: 'claims.released', hold: held.id, name: held.name, glob: held.glob })
    return
  }
  const id = ++people.newest
  const hold = { id, name: 'ana', glob: rnd.pick(GLOBS), since: now, until: now + 1 + rnd.int(100_000) }
  people.holds.set(id, hold)
  record({ type: 'claims.held', hold: id, name: hold.name, glob: hold.glob, since: now, until: hold.until })
}

/** One of the tasks is to go first, or last. It may be over by then. */
export function changePriority({ rnd, plan }: World, record: (fact: Fact) => void): void {
  record({ type: 'priority.changed', task: rnd.pick(plan.tasks).id, priority: rnd.int(7) - 3, request: null })
}

/** What people hold at this moment. */
export function heldNow({ people, now }: World): Claim[] {
  const globs = [...people.holds.values()].filter(({ until }) => until > now).map(({ glob }) => glob)
  return toClaims({ write: globs, read: [] })
}

/** I5 for people: nothing begins that claims what somebody holds. */
export function checkKeepsOut(world: World, { task }: Extract<Fact, { type: 'attempt.started' }>): void {
  const { state } = world
  const unit = state.graph.units[state.graph.unitOf[state.graph.taskIndex.get(task) ?? -1] ?? -1]
  if (!unit || state.claims.holds(unit.index)) return // it has begun before, maybe on a worker that was lost
  for (const mine of unit.claims)
    for (const theirs of heldNow(world))
      assert.ok(!conflicts(mine, theirs), `I5: ${task} begins, and a person holds ${theirs.pattern}`)
}

/** I15: a run does not rest while there is money for something that only waits for people, or agents, whose time will be over. */
export function checkNoRest(world: World): void {
  const { graph, units, paused } = world.state
  const waiting = graph.units.filter(({ index, claims, members }) => {
    const { status, next = 0 } = units[index] ?? {}
    const task = graph.tasks[members[next] ?? -1]
    if (!task || (status !== 'ready' && status !== 'continuing') || refusedBy(world, task) !== null) return false
    const agents = agentsOf(task.work)
    const isHeldBack = (agent: string) => {
      const { isOver = true, probe = null, needsLogin = false } = paused.get(agent) ?? {}
      return (!isOver && !needsLogin) || probe !== null
    }
    const needsLogin = (agent: string) => Boolean(paused.get(agent)?.needsLogin)
    const isPaused = agents.some(isHeldBack) && agents.every((agent) => isHeldBack(agent) || needsLogin(agent))
    return isPaused || (status === 'ready' && waitsForPeople(world, claims))
  })
  assert.deepEqual(
    waiting.map(({ index }) => index),
    [],
    'I15: a run rests, and a hold or a pause will end',
  )
}

/** A unit that claims some of what people hold waits. */
export function waitsForPeople(world: World, claims: readonly Claim[]): boolean {
  const waits = heldNow(world).some((theirs) => claims.some((mine) => conflicts(mine, theirs)))
  if (waits) world.people.waits++
  return waits
}
