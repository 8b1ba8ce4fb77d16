// Workers in the simulation: they join, change, are lost and come back, and what a lost one tells comes too late. What each
// of them has is kept here from the events alone.
import assert from 'node:assert/strict'
import type { Fact } from '../../src/event.ts'
import type { Unit } from '../../src/scheduler/graph.ts'
import { runSummary, taskView } from '../../src/scheduler/view.ts'
import { idleSlots } from './money.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export type Machine = { slots: number; labels: string[]; resources: Record<string, number>; isThere: boolean }

export type FleetWorld = {
  /** Workers that join; none in half of the worlds. */
  names: string[]
  machines: Map<string, Machine>
  joined: number
  lost: number
  late: number
  /** Attempts on workers; times that a run rested because no machine had what its tasks ask for. */
  away: number
  rests: number
}

export function randomFleet(rnd: Random): FleetWorld {
  const names = rnd.chance(0.5) ? Array.from({ length: 1 + rnd.int(3) }, (_, n) => `w${n + 1}`) : []
  return { names, machines: new Map(), joined: 0, lost: 0, late: 0, away: 0, rests: 0 }
}

/** One of the workers does something. */
export function workerActs(world: World, record: (fact: Fact) => void): void {
  const { rnd, fleet } = world
  if (fleet.names.length === 0) return
  const worker = rnd.pick(fleet.names)
  const machine = fleet.machines.get(worker)
  if (machine?.isThere && rnd.chance(0.6)) {
    machine.isThere = false
    fleet.lost++
    record({ type: 'worker.lost', worker, why: 'no heartbeat' })
    return
  }
  const slots = machine?.isThere && rnd.chance(0.3) ? 0 : 1 + rnd.int(3)
  const labels = rnd.chance(0.5) ? ['gpu', 'arm'] : []
  const resources = rnd.pick([{}, { gpu: 1 }, { gpu: 2, db: 1 }])
  joins(world, record, worker, { slots, labels, resources })
}

/** Nothing is left but what no machine can do: a person starts one that can do everything. */
export function restForWorker(world: World, record: (fact: Fact) => void): boolean {
  const { unplaced = [] } = runSummary(world.state, { run: 'random-1', name: 'random', repo: '/', enginePid: 1 })
  if (unplaced.length === 0) return false
  world.fleet.rests++
  joins(world, record, 'w9', { slots: 2, labels: ['gpu', 'arm'], resources: { gpu: 2, db: 1 } })
  return true
}

function joins(world: World, record: (fact: Fact) => void, worker: string, offer: Omit<Machine, 'isThere'>): void {
  world.fleet.joined++
  world.fleet.machines.set(worker, { ...offer, isThere: true })
  record({ type: 'worker.joined', worker, ...offer })
}

/** The engine's own machine is one of them. */
export function machinesOf({ state, plan, fleet }: World): Map<string, Machine> {
  const { slots, labels = [] } = state.limits
  const resources = Object.fromEntries(Object.entries(plan.resources ?? {}).map(([name, { count }]) => [name, count]))
  return new Map([['local', { slots, labels, resources, isThere: true }], ...fleet.machines])
}

/** It starts on a machine that is there, with what it asks for, and where one of its epic is at work it stays with that. */
export function checkPlace(
  world: World,
  { task, worker, slot, resources = {} }: Extract<Fact, { type: 'attempt.started' }>,
): void {
  const { state, live } = world
  const machine = machinesOf(world).get(worker)
  assert.ok(machine?.isThere, `${task} starts on ${worker}, which is not there`)
  const unit = state.graph.units[state.graph.unitOf[state.graph.taskIndex.get(task) ?? -1] ?? -1] as Unit
  for (const label of unit.requires.labels) assert.ok(machine.labels.includes(label), `${worker} is not ${label}`)
  const there = [...live.keys()].map((id) => lastOf(world, id)).filter((last) => last?.worker === worker)
  assert.ok(there.length < machine.slots, `I6: ${task} starts on ${worker}, and ${there.length} run there`)
  assert.ok(
    there.every((last) => last?.slot !== slot),
    `slot ${slot} of ${worker} is taken`,
  )
  const mine = state.units[unit.index]
  if (mine?.slot != null) assert.deepEqual([worker, slot], [mine.worker, mine.slot], 'an epic keeps its worker')
  for (const [name, numbers] of Object.entries(resources))
    assert.ok(
      numbers.every((number) => number < (machine.resources[name] ?? 0)) || mine?.slot != null,
      `${worker} has no ${name} ${numbers}`,
    )
  if (worker !== 'local') world.fleet.away++
}

/** Whether a unit that has no slot could have one: on some machine there is one, with all it asks for. */
export function hasPlace(world: World, unit: Unit): boolean {
  const { state } = world
  return [...machinesOf(world)].some(([name, { isThere, slots, labels, resources }]) => {
    if (!isThere || !unit.requires.labels.every((label) => labels.includes(label))) return false
    const units = state.units.filter((one) => one.worker === name)
    const running = [...world.live.keys()].filter((id) => lastOf(world, id)?.worker === name).length
    if (running >= slots || units.length - idleSlots(world, name) >= slots) return false
    const lacks = unit.requires.uses.some(([resource, count]) => {
      const taken = units.flatMap((one) => one.resources?.[resource] ?? [])
      return count > (resources[resource] ?? 0) - taken.length
    })
    if (lacks) world.lacked++
    return !lacks
  })
}

/** Of an attempt that was given up: refused, and its money counts. It may be told twice. */
export function tellLate(world: World, facts: Fact[], record: (fact: Fact) => void): void {
  for (const fact of facts) {
    if (fact.type !== 'attempt.finished' || !fact.usage) continue
    const { task, attempt, usage } = fact
    const index = world.state.graph.taskIndex.get(task)
    const found = index === undefined ? undefined : taskView(world.state, index).history[attempt - 1]
    if (found?.failure?.reason !== 'worker-lost') continue
    if (!found.late) {
      const key = `${task}/${attempt}`
      world.costs.set(key, Math.max(world.costs.get(key) ?? 0, usage.costUsd))
      world.fleet.late++
    }
    record({ type: 'attempt.late', task, attempt, usage, request: null })
    if (world.rnd.chance(0.3)) record({ type: 'attempt.late', task, attempt, usage, request: null })
  }
}

export function lastOf({ state }: World, id: string) {
  return state.tasks[state.graph.taskIndex.get(id) ?? -1]?.history.at(-1)
}
