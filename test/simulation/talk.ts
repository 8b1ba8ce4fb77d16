// Agents that tell of their task and ask for more than it has claimed, while the world goes on.
import assert from 'node:assert/strict'
import type { Fact } from '../../src/event.ts'
import { answered } from '../../src/scheduler/claims/gained.ts'
import { type Claim, conflicts, toClaims } from '../../src/scheduler/claims/overlap.ts'
import { taskView } from '../../src/scheduler/view.ts'
import { heldNow } from './people.ts'
import type { World } from './world.ts'

const PATHS = ['src/a/y.ts', 'src/**', 'src/b/y.ts', 'docs/*.md', 'db/one.sql', 'lock', 'z', 'other/**']

/** Some of them speak for an attempt that is over. */
export function talk(world: World, record: (fact: Fact) => void): void {
  const { rnd, state } = world
  const alive = [...world.live]
  if (alive.length === 0) return
  const [task, { attempt: newest }] = rnd.pick(alive)
  const attempt = newest - (newest > 1 && rnd.chance(0.1) ? 1 : 0)
  if (rnd.chance(0.3)) {
    record({ type: 'attempt.noted', task, attempt, kind: rnd.pick(['progress', 'issue']), text: 'x', request: null })
    return
  }
  const asked = { type: 'attempt.asked' as const, task, attempt, paths: [rnd.pick(PATHS)], holder: null, request: null }
  const fact = answered(state, asked, world.now)
  checkAnswer(world, fact)
  if (attempt === newest) world.asked[fact.holder === null ? 'granted' : 'refused']++
  record(fact)
}

/** It is refused if and only if somebody else holds some of it, and that one is named. */
function checkAnswer(world: World, { task, paths, holder }: Extract<Fact, { type: 'attempt.asked' }>): void {
  const { state } = world
  const unitOf = (id: string) => state.graph.unitOf[state.graph.taskIndex.get(id) ?? -1]
  const wanted = toClaims({ write: paths, read: [] })
  const inWay = state.graph.units.filter(({ index, claims }) => {
    const holds = state.claims.holds(index) && index !== unitOf(task)
    return holds && claims.some((theirs) => wanted.some((mine) => conflicts(mine, theirs)))
  })
  const people = heldNow(world).filter((theirs) => wanted.some((mine) => conflicts(mine, theirs)))
  if (holder === null) assert.deepEqual([inWay, people], [[], []], `${task} was granted what another holds`)
  else if (holder === 'ana (a person)') assert.ok(people.length > 0, `nobody stands in the way of ${task}`)
  else
    assert.ok(
      inWay.some(({ index }) => index === unitOf(holder)),
      `${holder} does not stand in the way of ${task}`,
    )
}

/** I5: what was granted counts like what was written, from then on until the work has landed or was sent away. */
export function checkGranted({ state }: World): void {
  const views = state.graph.tasks.map((_, index) => taskView(state, index))
  const holders = views.filter(({ status }) => ['running', 'landing', 'conflict'].includes(status))
  const granted = (id: string): Claim[] => {
    const { history = [] } = views.find((view) => view.id === id) ?? {}
    const given = history.flatMap(({ asked = [] }) => asked.filter(({ holder }) => holder === null))
    return toClaims({ write: given.flatMap(({ paths }) => paths), read: [] })
  }
  const unitOf = (id: string) => state.graph.unitOf[state.graph.taskIndex.get(id) ?? -1]
  for (const { id } of holders)
    for (const other of holders) {
      if (unitOf(id) === unitOf(other.id)) continue
      const plan = state.graph.tasks[state.graph.taskIndex.get(other.id) ?? -1]?.claims ?? { write: [], read: [] }
      for (const mine of granted(id))
        for (const theirs of [...toClaims(plan), ...granted(other.id)])
          assert.ok(!conflicts(mine, theirs), `I5: ${mine.pattern} was granted to ${id}, and ${other.id} holds it`)
    }
}
