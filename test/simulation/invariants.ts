// The invariants of reliability.md that concern the pure core, checked the slow and obvious way after every step:
// nothing here uses the scheduler's own queues, tables or ranks.

import assert from 'node:assert/strict'
import { INTERRUPTIONS } from '../../src/failure.ts'
import { hasBudgets } from '../../src/scheduler/budgets/accounts.ts'
import { type Claim, claimOfPath, conflicts, toClaims } from '../../src/scheduler/claims/overlap.ts'
import type { Decided } from '../../src/scheduler/decide.ts'
import type { Unit } from '../../src/scheduler/graph.ts'
import type { UnitState } from '../../src/scheduler/state.ts'
import { taskView } from '../../src/scheduler/view.ts'
import { isOver } from '../../src/status.ts'
import { agentsOf } from '../../src/task.ts'
import { hasPlace } from './fleet.ts'
import { idleSlots, refusedBy } from './money.ts'
import { waitsForPeople } from './people.ts'
import { checkGranted } from './talk.ts'
import type { World } from './world.ts'

/** Of a task with one of these, others may not change what it claims. */
const HOLDING: readonly string[] = ['running', 'landing', 'conflict']

export function checkInvariants(world: World): void {
  const { state, plan } = world
  const views = plan.tasks.map((_, index) => taskView(state, index))
  const status = new Map(views.map((view) => [view.id, view.status]))
  const counted = Object.fromEntries(Object.keys(state.counts).map((key) => [key, 0]))
  for (const view of views) counted[view.status] = (counted[view.status] ?? 0) + 1
  assert.deepEqual({ ...state.counts }, { ...counted, total: plan.tasks.length }, 'the counts add up')

  const { startedAt, idleMs, lastAt } = state
  assert.ok(idleMs >= 0 && startedAt + idleMs <= lastAt, 'it lay there for no longer than it is old')
  const running = views.filter((view) => view.status === 'running')
  assert.deepEqual(running.map((view) => view.id).sort(), [...world.live.keys()].sort(), 'I2: running is what is alive')
  const busy = state.workers.local.taken - idleSlots(world, 'local')
  // An end that costs less than was set aside may give a half-done epic its money back while another unit is in its place.
  const isMoneyBack =
    hasBudgets(state) && state.continuing.size > 0 && state.workers.local.running <= state.limits.slots
  const mayBeMore = world.slotsShrank || world.budgetRaised || isMoneyBack
  assert.ok(busy <= state.limits.slots || mayBeMore, 'I6: never more than the slots')
  const slots = running.map(({ history }) => `${history.at(-1)?.worker} ${history.at(-1)?.slot}`)
  assert.equal(new Set(slots).size, slots.length, 'a slot has one attempt')

  // I5: holders of conflicting claims, between dispatch and landed or ejected.
  const holders = plan.tasks.filter((task) => HOLDING.includes(status.get(task.id) ?? ''))
  for (const a of holders)
    for (const b of holders) {
      if (a.id >= b.id || sameUnit(world, a.id, b.id)) continue
      for (const x of toClaims(a.claims))
        for (const y of toClaims(b.claims))
          assert.ok(!conflicts(x, y), `I5: ${a.id} and ${b.id} both hold ${x.pattern}`)
    }
  checkLearnedClaims(world)
  checkResources(world)
  checkGranted(world)

  for (const [index, view] of views.entries()) {
    const task = plan.tasks[index]
    assert.ok(task)
    assert.ok(
      (state.tasks[index]?.failedTries ?? 0) <= (task.retries ?? state.limits.retries) + 1,
      `I13: ${view.id} failed too often`,
    )
    if (view.status !== 'running') assert.equal(view.stalledSince, null, `${view.id} does not run and has stalled`)
    if (view.status === 'blocked') assert.ok(view.failure?.cause, `I15: ${view.id} is blocked without a cause`)
    if (world.terminal.has(view.id)) assert.equal(view.status, world.terminal.get(view.id), `I1: ${view.id} came back`)
    if (isOver(view.status)) world.terminal.set(view.id, view.status)
  }
}

/**
 * I5: what a unit learned to claim, from a conflict, counts like what was written. What an epic changed without a claim
 * while it runs on is another matter: see `checkExtended`.
 */
function checkLearnedClaims({ state }: World): void {
  const held = state.graph.units.filter(({ index }) => state.units[index]?.status === 'running')
  const takenAtStart = ({ index, claims }: Unit) =>
    claims.filter((claim) => !state.units[index]?.extended.includes(claim))
  for (const a of held)
    for (const b of held)
      if (a.index < b.index)
        for (const x of takenAtStart(a))
          for (const y of takenAtStart(b))
            assert.ok(!conflicts(x, y), `I5: ${x.pattern} is held twice, as ${y.pattern} too`)
}

/** Each number of a machine at one unit, all that a unit uses and nothing without a slot. */
function checkResources({ state }: World): void {
  const taken = new Map<string, number[]>()
  for (const unit of state.graph.units) {
    const { slot, worker, resources } = state.units[unit.index] as UnitState
    const uses = slot === null ? [] : unit.requires.uses
    assert.equal(slot === null, worker === null, 'a slot is one of a machine')
    const has = Object.entries(resources ?? {}).map(([name, numbers]) => [name, numbers.length])
    assert.deepEqual(has, uses, 'a unit has what it uses as long as it has its slot')
    for (const [name, numbers] of Object.entries(resources ?? {}))
      taken.set(`${name} of ${worker}`, [...(taken.get(`${name} of ${worker}`) ?? []), ...numbers])
  }
  for (const [name, numbers] of taken) {
    assert.equal(new Set(numbers).size, numbers.length, `${name}: a number is at two units`)
  }
}

/** I6: after all decisions are made, an idle slot means that nothing could have been started. */
export function checkWorkConserving(world: World): void {
  const { state, plan, now } = world
  const over = state.finished !== null && state.finished !== 'waiting'
  if (state.stop !== null || over) return
  const { batch, limits } = state
  const isLanding = batch.building !== null || batch.moving !== null
  if (state.workers.capacity === 1 && !limits.landing.verify && isLanding) return // one on top of the other
  const status = new Map(plan.tasks.map((task, index) => [task.id, state.tasks[index]?.state.status ?? 'pending']))
  const held = state.graph.units.filter((unit) =>
    unit.members.some((m) => HOLDING.includes(state.tasks[m]?.state.status ?? '')),
  )
  for (const unit of state.graph.units) {
    if (state.waves && (state.waves.of[unit.index] ?? 0) > state.waves.current) continue
    const first = unit.members[state.units[unit.index]?.next ?? 0]
    const task = first === undefined ? undefined : plan.tasks[first]
    const current = first === undefined ? undefined : state.tasks[first]?.state
    if (!task || !current || held.includes(unit)) continue
    if (current.status !== 'pending' && current.status !== 'ready') continue
    if (current.status === 'pending' && current.retryAt !== null && current.retryAt > now) continue
    const members = unit.members.map((m) => plan.tasks[m])
    const inside = new Set(members.map((member) => member?.id))
    const waits = members.some(
      (member) =>
        [...(member?.needs ?? [])].some(
          (id) => !inside.has(id) && !['landed', 'passed'].includes(status.get(id) ?? ''),
        ) || [...(member?.after ?? [])].some((id) => !inside.has(id) && !isOver(status.get(id) ?? 'pending')),
    )
    if (waits || refusedBy(world, task) !== null) continue
    const { slot = null, worker: its = null } = state.units[unit.index] ?? {}
    const own = its === null ? undefined : state.workers.named(its)
    if (slot === null ? !hasPlace(world, unit) : own && own.running >= own.count) continue
    const agents = agentsOf(task.work)
    if (agents.length > 0 && agents.every((agent) => isHeldBack(world, agent))) continue
    const blocked = held.some((other) => other.claims.some((x) => unit.claims.some((y) => conflicts(x, y))))
    if (waitsForPeople(world, unit.claims)) continue
    assert.ok(blocked, `I6: ${task.id} could start, and a machine has room for it`)
  }
}

/**
 * I5 for claims that have grown: what changed more than it had claimed does not land while somebody works on the same,
 * and until it has landed nobody begins to.
 */
export function checkExtended(world: World, decision: Decided): void {
  const { state, limits } = world
  if (limits.claims !== 'extend') return
  const views = state.graph.tasks.map((_, index) => taskView(state, index))
  if (decision.type === 'landing.started') {
    const landing = decision.items.flatMap(({ tasks }) => tasks)
    const working = views.filter((view) => view.status === 'running').map((view) => view.id)
    for (const id of landing)
      for (const other of working)
        if (!sameUnit(world, id, other))
          assertApart(extendedOf(world, id), unitClaims(world, other), `I5: ${id} lands while ${other} runs`)
  }
  if (decision.type !== 'attempt.started') return
  const unit = state.graph.unitOf[state.graph.taskIndex.get(decision.task) ?? -1] ?? -1
  if (state.claims.holds(unit)) return // it has begun before, maybe on a worker that was lost
  for (const { id, status } of views)
    if (status === 'landing')
      assertApart(extendedOf(world, id), unitClaims(world, decision.task), `I5: ${decision.task} begins before ${id}`)
}

function assertApart(some: Claim[], others: Claim[], message: string): void {
  for (const x of some) for (const y of others) assert.ok(!conflicts(x, y), `${message}: ${x.pattern} and ${y.pattern}`)
}

/** What a task changed and had not claimed. */
function extendedOf({ state }: World, id: string): Claim[] {
  const index = state.graph.taskIndex.get(id) ?? -1
  const last = state.tasks[index]?.history.findLast((attempt) => attempt.failure === null)
  return state.graph.tasks[index]?.land ? (last?.undeclared?.paths ?? []).map(claimOfPath) : []
}

/** What the plan says that a task claims, with those it runs together with. */
function unitClaims({ state }: World, id: string): Claim[] {
  const unit = state.graph.units[state.graph.unitOf[state.graph.taskIndex.get(id) ?? -1] ?? -1]
  return unit?.members.flatMap((member) => toClaims(state.graph.tasks[member]?.claims ?? { write: [], read: [] })) ?? []
}

/** The first of a task's agents that is not paused does it, and who was passed over is told. */
export function checkAgent(
  { state, plan, now, pausedUntil }: World,
  decision: Extract<Decided, { type: 'attempt.started' }>,
): void {
  const { task, agent, insteadOf } = decision
  const { work } = plan.tasks[state.graph.taskIndex.get(task) ?? -1] ?? {}
  const agents = work ? agentsOf(work) : []
  const at = agents.indexOf(agent ?? '')
  if (agents.length === 0) {
    assert.deepEqual([agent, insteadOf], [undefined, undefined], `${task} is a shell command`)
    return
  }
  assert.ok(at >= 0, `${task} is done by ${agent}, whom it does not name`)
  assert.ok((pausedUntil.get(agent ?? '') ?? 0) <= now, `${agent} is paused, and ${task} starts`)
  assert.equal(
    state.paused.get(agent ?? '')?.probe ?? null,
    null,
    `${agent} sees whether its provider answers, and ${task} starts`,
  )
  for (const other of agents.slice(0, at))
    assert.ok(isHeldBack({ state, now }, other), `${task} is not done by ${other}, who could`)
  assert.equal(insteadOf?.agent, at > 0 ? agents[0] : undefined, `${task}: whom ${agent} stands in for`)
}

/** Its time is not over, somebody has to log in, or one attempt of it goes first: and that one runs. */
function isHeldBack({ state, now }: Pick<World, 'state' | 'now'>, agent: string): boolean {
  const pause = state.paused.get(agent)
  if (!pause) return false
  if (pause.probe === null) return pause.until > now || Boolean(pause.needsLogin && !pause.isOver)
  const probe = state.tasks[state.graph.taskIndex.get(pause.probe) ?? -1]
  assert.equal(probe?.state.status, 'running', `${pause.probe} goes first for ${agent}, and does not run`)
  assert.equal(probe.history.at(-1)?.agent, agent, `${pause.probe} goes first for ${agent}, which does not do it`)
  return true
}

/** Interrupted work of an agent is continued from its own base; everything else begins where its unit stands. */
export function checkContinues(
  { state }: World,
  { task: id, base, continues }: Extract<Decided, { type: 'attempt.started' }>,
): void {
  const index = state.graph.taskIndex.get(id) ?? -1
  const last = state.tasks[index]?.history.at(-1)
  const unit = state.units[state.graph.unitOf[index] ?? -1]
  const begun = unit?.head ?? unit?.resolves?.commit
  if (begun) assert.equal(base, begun, `${id} is built on what its epic or its conflict has`)
  if (continues === undefined) {
    if (!begun) assert.equal(base, state.head, `${id} begins with what has landed`)
    return
  }
  assert.equal(state.graph.tasks[index]?.work.kind, 'prompt', `${id} is a shell command`)
  assert.equal(last?.attempt, continues, `${id} continues its last attempt`)
  assert.equal(base, last?.base, `${id} continues on another base`)
  assert.ok(INTERRUPTIONS.has(last?.failure?.reason ?? 'agent-failed'), `${id} was not interrupted`)
}

/** After all decisions are made, what has stalled is being ended, if that is what the run is set to. */
export function checkStalls({ state }: World): void {
  if (state.limits.onStall !== 'retry' || state.finished) return
  for (const { state: task } of state.tasks)
    assert.ok(
      task.status !== 'running' || task.stalledSince === null || task.stopping,
      'a stalled attempt is left alone',
    )
}

/** A verification each, no more than the window, and none that nobody needs. */
export function checkVerifying({ state, limits }: World): void {
  const { verifications, items } = state.batch
  if (!limits.landing.verify) assert.equal(verifications.length + items.length, 0, 'nothing is to be verified')
  const going = verifications.filter((one) => !one.halting)
  assert.ok(going.length <= limits.landing.window, 'no more verifications than the window')
  assert.equal(new Set(verifications.map((one) => one.slot)).size, verifications.length, 'a worktree each')
  assert.equal(new Set(going.map((one) => one.commit)).size, going.length, 'nothing is verified twice at once')
  const waits = items.length > 0 && state.batch.moving === null && state.stop === null && !state.finished
  if (waits) assert.ok(verifications.length > 0, 'a batch waits, and nothing is being verified')
}

function sameUnit(world: World, a: string, b: string): boolean {
  const { graph } = world.state
  return graph.unitOf[graph.taskIndex.get(a) ?? -1] === graph.unitOf[graph.taskIndex.get(b) ?? -1]
}
