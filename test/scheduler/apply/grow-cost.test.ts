// What it costs to add tasks, counted and not timed: how often anything of the plan that was there is looked at.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limits } from '../../../src/event.ts'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { decide } from '../../../src/scheduler/decide.ts'
import type { Unit } from '../../../src/scheduler/graph.ts'
import type { RunState } from '../../../src/scheduler/state.ts'
import { Core, planOf, type Sketch } from '../plan-rig.ts'

const ADDED = 100
const KINDS: [about: string, limits: Partial<Limits>][] = [
  ['as soon as possible', {}],
  ['by waves', { schedule: 'waves' }],
  ['with a budget that holds all of them back', { budget: { usd: 0.5, onReached: 'finish' } }],
]

for (const [about, limits] of KINDS)
  test(`adding ${ADDED} tasks costs as much in a plan of 20,000 tasks as in one of 2,000, ${about}`, () => {
    const [small, large] = [looksIn(2_000, limits), looksIn(20_000, limits)]
    assert.ok(small >= ADDED, `only ${small} looks were counted`)
    const growth = large / small
    const allowed = 1.2 * (Math.log(20_000) / Math.log(2_000))
    assert.ok(growth <= allowed, `${small} looks in the small plan, ${large} in the large one: × ${growth.toFixed(2)}`)
  })

/** While the tasks are added and what follows from that is decided. */
function looksIn(size: number, limits: Partial<Limits>): number {
  const core = new Core(planOf(...Array.from({ length: size }, (_, n) => task(n, size))), { slots: 4, ...limits })
  core.succeed(core.running[0] ?? '')
  const counter = { looks: 0 }
  watched(core.state, counter)
  const added = Array.from({ length: ADDED }, (_, n): Sketch => {
    const needs = n % 3 === 0 ? [`t${(n * 37) % size}`] : n % 3 === 1 && n > 1 ? [`n${n - 1}`] : []
    return { id: `n${n}`, needs, claims: [`new/${n}`], priority: n % 2, estimateMs: n, estimateUsd: n % 5 }
  })
  const { tasks, epics } = planOf(...added)
  apply(core.state, { type: 'tasks.added', tasks, epics, seq: 1_000, at: core.now })
  decide(core.state, core.now)
  return counter.looks
}

function task(n: number, size: number): Sketch {
  const needs = n % 2 === 1 ? [`t${(n * 13) % (n + 1)}`].filter((id) => id !== `t${n}`) : []
  return { id: `t${n}`, needs, claims: [`old/${n}`], estimateMs: (n * 7919) % size, estimateUsd: n % 7 }
}

/** Every record and unit that is taken out of its list, and every comparison of two units. */
function watched(state: RunState, counter: { looks: number }): void {
  for (const unit of state.graph.units) countPriority(unit, counter)
  state.graph.units = counted(state.graph.units, counter)
  state.graph.tasks = counted(state.graph.tasks, counter)
  state.tasks = counted(state.tasks, counter)
  state.units = counted(state.units, counter)
}

function counted<T>(list: T[], counter: { looks: number }): T[] {
  return new Proxy(list, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) counter.looks++
      return Reflect.get(target, key)
    },
  })
}

function countPriority(unit: Unit, counter: { looks: number }): void {
  const { priority } = unit
  Object.defineProperty(unit, 'priority', {
    get() {
      counter.looks++
      return priority
    },
  })
}
