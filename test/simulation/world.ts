// A run of the pure core in a world that is out to break it: a virtual clock, agents that fail, hang, fall silent,
// answer late or twice, landings that conflict, supervisors that vanish, people who cancel, and an engine that dies between any two
// writes and is started again from its journal.
import assert from 'node:assert/strict'
import type { Event, Fact, Limits } from '../../src/event.ts'
import { apply } from '../../src/scheduler/apply.ts'
import { type Decision, decide, nextWake } from '../../src/scheduler/decide.ts'
import { comparePlan } from '../../src/scheduler/replan.ts'
import { emptyState, type RunState } from '../../src/scheduler/state.ts'
import { taskView, toFact } from '../../src/scheduler/view.ts'
import type { Plan } from '../../src/task.ts'
import { checkDeadlines, checkRemembered, checkRoom, checkSameDispatch, summary } from './history.ts'
import { checkInvariants, checkStalls, checkWorkConserving } from './invariants.ts'
import { type Random, random } from './random.ts'
import { randomPlan } from './random-plan.ts'

type Coming = { at: number; fact: Fact; of: { task: string; attempt: number } | 'landing' }

export type World = {
  rnd: Random
  /** As it was when the run began. */
  original: Plan
  plan: Plan
  limits: Limits
  state: RunState
  journal: Event[]
  now: number
  /** Attempts that are alive, by task. */
  live: Map<string, { attempt: number }>
  coming: Coming[]
  /** Results delivered before, to be delivered again. */
  past: Fact[]
  terminal: Map<string, string>
  commits: number
  /** Commits of the run's branch, oldest first. */
  chain: string[]
  slotsShrank: boolean
  restarts: number
  replans: number
  /** Attempts that were told to end because they had stalled. */
  stallsEnded: number
  /** When a task may be tried again, by task and number of failures: survives restarts. */
  notBefore: Map<string, number>
}

const MAX_STEPS = 20_000

export function simulate(seed: number): World {
  const rnd = random(seed)
  const plan = randomPlan(rnd)
  const limits: Limits = {
    slots: 1 + rnd.int(5),
    maxPerEpic: rnd.chance(0.3) ? 1 + rnd.int(2) : null,
    schedule: rnd.chance(0.25) ? 'waves' : 'eager',
    strict: rnd.chance(0.15),
    backoff: { initialMs: 1000, maxMs: 30_000 },
    onStall: rnd.chance(0.5) ? 'retry' : 'report',
  }
  const base = commitId(0)
  const world: World = {
    rnd,
    original: plan,
    plan,
    limits,
    state: emptyState(plan, limits),
    journal: [],
    now: 1_000_000,
    live: new Map(),
    coming: [],
    past: [],
    terminal: new Map(),
    commits: 0,
    chain: [base],
    slotsShrank: false,
    restarts: 0,
    replans: 0,
    stallsEnded: 0,
    notBefore: new Map(),
  }
  record(world, { type: 'run.started', base, branch: 'espalier/random-1', seed, limits })
  for (let step = 0; ; step++) {
    assert.ok(step < MAX_STEPS, 'I15: the run does not come to rest')
    if (rnd.chance(0.04)) {
      const before = world.state
      restart(world)
      checkRemembered(before, world.state)
    }
    if (!tick(world)) continue
    if (world.state.finished) {
      if (
        world.state.stop !== 'interrupt' ||
        world.state.counts.pending + world.state.counts.ready + world.state.counts.landing === 0
      )
        break
      resume(world)
      continue
    }
    if (rnd.chance(0.01)) somebodyActs(world)
    else advance(world)
  }
  checkRest(world)
  return world
}

/** Decide until nothing is left to decide, write it all at once, then do it. A crash before the write loses all of it. */
function tick(world: World): boolean {
  const decisions: Decision[] = []
  const events: Event[] = []
  const before = world.journal.length
  for (let decision = decide(world.state, world.now); decision; decision = decide(world.state, world.now)) {
    checkDecision(world, decision)
    checkRoom(world, decision)
    const event = stamp(world, toFact(decision), before + events.length + 1)
    apply(world.state, event)
    events.push(event)
    decisions.push(decision)
    if (decision.kind === 'start') world.live.set(decision.task, { attempt: decision.attempt })
  }
  if (events.length > 0 && world.rnd.chance(0.02)) {
    for (const decision of decisions) if (decision.kind === 'start') world.live.delete(decision.task)
    restart(world)
    return false
  }
  world.journal.push(...events)
  checkInvariants(world)
  checkWorkConserving(world)
  checkStalls(world)
  checkDeadlines(world, decisions)
  for (const decision of decisions) perform(world, decision)
  return true
}

function checkDecision(world: World, decision: Decision): void {
  const { state, plan } = world
  if (decision.kind === 'stop' && decision.reason === 'stalled') {
    assert.equal(state.limits.onStall, 'retry', `${decision.task} is only to be reported`)
    const { stalledSince } = taskView(state, state.graph.taskIndex.get(decision.task) ?? -1)
    assert.ok(stalledSince !== null, `${decision.task} has not stalled`)
    world.stallsEnded++
  }
  if (decision.kind !== 'start') return
  const task = plan.tasks[state.graph.taskIndex.get(decision.task) ?? -1]
  assert.ok(task)
  const { failures } = state.tasks[state.graph.taskIndex.get(decision.task) ?? -1] ?? { failures: 0 }
  assert.ok(
    (world.notBefore.get(`${decision.task}#${failures}`) ?? 0) <= world.now,
    `I13: ${decision.task} does not wait for its next try`,
  )
  assert.ok(!world.live.has(decision.task), `I2: ${decision.task} is alive already`)
  assert.ok(!world.terminal.has(decision.task), `I1: ${decision.task} has come to rest and starts again`)
  const unit = state.graph.units[state.graph.unitOf[state.graph.taskIndex.get(decision.task) ?? -1] ?? -1]
  const inside = new Set(unit?.members.map((m) => plan.tasks[m]?.id))
  for (const need of task.needs) {
    const view = taskView(state, state.graph.taskIndex.get(need) ?? -1)
    if (inside.has(need)) assert.ok(['landing', 'passed'].includes(view.status), `I4: ${task.id} before ${need}`)
    else assert.ok(['landed', 'passed'].includes(view.status), `I4: ${task.id} started before ${need} landed`)
    const reached = world.chain.indexOf(decision.base)
    if (view.landedCommit && reached >= 0)
      assert.ok(world.chain.indexOf(view.landedCommit) <= reached, `I4: the base of ${task.id} has ${need}`)
  }
}

function perform(world: World, decision: Decision): void {
  const { rnd, now } = world
  if (decision.kind === 'start') {
    const { task, attempt } = decision
    const at = now + 100 + rnd.int(rnd.chance(0.1) ? 200_000 : 20_000)
    const hangs = rnd.chance(0.2) && fallSilent(world, task, attempt, at) && rnd.chance(0.5)
    if (!hangs) world.coming.push({ at, fact: result(world, task, attempt), of: { task, attempt } })
  } else if (decision.kind === 'stop') {
    // The real result may still win the race against the end of the process tree.
    const { task, attempt, reason } = decision
    if (reason === 'stalled' && rnd.chance(0.2)) {
      // Its agent had ended by itself: what is left of the attempt may pass, fail or hang.
      world.coming.push({ at: now, fact: { type: 'attempt.stirred', task, attempt }, of: { task, attempt } })
      return
    }
    const failure = { reason, message: reason }
    const outcome = reason === 'timeout' || reason === 'stalled' ? ('timeout' as const) : ('cancelled' as const)
    const fact: Fact = {
      type: 'attempt.finished',
      task,
      attempt,
      outcome,
      commit: null,
      failure,
      diff: null,
      usage: null,
      summary: null,
    }
    world.coming.push({ at: now + rnd.int(5000), fact, of: { task, attempt } })
  } else if (decision.kind === 'land') {
    const { tasks, onto } = decision
    const fact: Fact = rnd.chance(0.1)
      ? {
          type: 'landing.refused',
          tasks,
          onto,
          failure: { reason: 'conflict', message: 'conflict', paths: [rnd.pick(['src/a/x.ts', 'docs/guide.md', 'z'])] },
          retry: rnd.chance(0.8),
        }
      : { type: 'landing.landed', tasks, onto, commit: commitId(++world.commits) }
    world.coming.push({ at: now + rnd.int(50), fact, of: 'landing' })
  }
}

/** Between now and then its agent says nothing for too long, once or more often, and may stir again or not. */
function fallSilent(world: World, task: string, attempt: number, until: number): true {
  const { rnd, now } = world
  for (let silences = 1 + rnd.int(3); silences > 0; silences--) {
    const since = now + rnd.int(until - now)
    const at = since + rnd.int(until - since)
    world.coming.push({ at, fact: { type: 'attempt.stalled', task, attempt, since }, of: { task, attempt } })
    if (rnd.chance(0.3)) continue
    const stirs: Fact = { type: 'attempt.stirred', task, attempt }
    world.coming.push({ at: at + rnd.int(until - at), fact: stirs, of: { task, attempt } })
  }
  return true
}

function result(world: World, task: string, attempt: number): Fact {
  const { rnd } = world
  const nothing = {
    type: 'attempt.finished',
    task,
    attempt,
    diff: null,
    usage: null,
    summary: null,
    commit: null,
  } as const
  if (rnd.chance(0.05))
    return { ...nothing, outcome: 'crashed', failure: { reason: 'supervisor-lost', message: 'gone' } }
  if (rnd.chance(0.2)) return { ...nothing, outcome: 'failed', failure: { reason: 'agent-failed', message: 'exit 1' } }
  if (rnd.chance(0.1)) return { ...nothing, outcome: 'no-change', failure: null }
  return { ...nothing, outcome: 'changed', failure: null, commit: commitId(++world.commits) }
}

/** Time goes on to whatever comes next. */
function advance(world: World): void {
  const { rnd } = world
  world.coming.sort((a, b) => a.at - b.at)
  const wake = nextWake(world.state)
  const next = world.coming[0]
  if (next && (wake === null || next.at <= wake)) {
    world.coming.shift()
    world.now = Math.max(world.now, next.at)
    deliver(world, next)
    if (rnd.chance(0.1)) world.past.push(next.fact)
  } else {
    assert.ok(wake !== null, `I15: nothing is under way and nothing will be: ${JSON.stringify(world.state.counts)}`)
    world.now = Math.max(world.now, wake)
  }
  if (world.past.length > 0 && rnd.chance(0.2)) {
    const fact = rnd.pick(world.past)
    // An engine never repeats a landing (it asks the branch first), but results may come twice.
    if (fact.type.startsWith('attempt.')) record(world, fact)
    checkInvariants(world)
  }
}

function deliver(world: World, { fact, of }: Coming): void {
  if (of !== 'landing') {
    if (world.live.get(of.task)?.attempt !== of.attempt) return
    if (fact.type === 'attempt.finished') world.live.delete(of.task)
  }
  if (fact.type === 'landing.landed') {
    assert.equal(fact.onto, world.chain.at(-1), 'I7: a landing moves the branch from where it stands')
    world.chain.push(fact.commit)
  }
  record(world, fact)
  checkInvariants(world)
  if (of === 'landing') return
  const index = world.state.graph.taskIndex.get(of.task) ?? -1
  const { retryAt } = taskView(world.state, index)
  if (retryAt !== null) world.notBefore.set(`${of.task}#${world.state.tasks[index]?.failures}`, retryAt)
}

function somebodyActs(world: World): void {
  const { rnd, plan } = world
  if (rnd.chance(0.5)) record(world, { type: 'task.cancelled', task: rnd.pick(plan.tasks).id, request: null })
  else if (rnd.chance(0.6)) record(world, { type: 'run.interrupted', request: null })
  else record(world, { type: 'run.cancelled', request: null })
  checkInvariants(world)
}

/** The engine dies and comes back: its state is what the journal says; agents and landings have gone on (I11, I14). */
function restart(world: World): void {
  world.state = replay(world.original, world.limits, world.journal)
  world.restarts++
  checkInvariants(world)
}

function resume(world: World): void {
  const slots = 1 + world.rnd.int(5)
  if (world.rnd.chance(0.5)) changePlan(world)
  if (slots < world.state.limits.slots) world.slotsShrank = true
  const onStall = world.rnd.chance(0.2) ? 'report' : world.limits.onStall
  record(world, { type: 'run.resumed', limits: { ...world.limits, slots, onStall } })
}

/** A person edits the plan while nothing runs: tasks come, go and change their needs. */
function changePlan(world: World): void {
  const { rnd } = world
  const written = world.state.graph.tasks.filter(() => !rnd.chance(0.15)).map((task) => ({ ...task }))
  const left = new Set(written.map((task) => task.id))
  const other = randomPlan(rnd).tasks.slice(0, 4)
  const shared = new Set(written.filter((task) => task.isolation === 'epic').map((task) => task.epic))
  for (const task of written) {
    task.needs = task.needs.filter((id) => left.has(id))
    task.after = task.after.filter((id) => left.has(id))
    if (rnd.chance(0.2) && task.isolation === 'task') task.needs = []
    if (rnd.chance(0.2)) task.retries += rnd.int(2)
  }
  const added = other.map((task, n) => ({
    ...task,
    id: `n${world.journal.length}-${n}`,
    isolation: 'task' as const,
    epic: shared.has(task.epic) ? null : task.epic,
    needs: written.length > 0 && rnd.chance(0.6) ? [rnd.pick(written).id] : [],
    after: [],
  }))
  const { plan, difference } = comparePlan(world.state, { ...world.plan, tasks: [...written, ...added] })
  record(world, { type: 'run.replanned', plan })
  for (const id of difference.removed.filter((gone) => plan.tasks.some((task) => task.id === gone)))
    record(world, { type: 'task.cancelled', task: id, request: null })
  world.plan = plan
  world.replans++
}

export function replay(plan: Plan, limits: Limits, journal: Event[]): RunState {
  return journal.reduce(apply, emptyState(plan, limits))
}

function checkRest(world: World): void {
  const { state } = world
  const open = state.counts.pending + state.counts.ready + state.counts.running + state.counts.landing
  assert.equal(open, 0, 'I15: every task has come to rest')
  assert.equal(state.slotsTaken, 0, 'no slot is kept')
  const again = replay(world.original, world.limits, world.journal)
  assert.deepEqual(summary(again), summary(state), 'I14: the journal gives the same state again')
  checkSameDispatch(world)
  const landed = world.journal.filter((event) => event.type === 'landing.landed').flatMap((event) => event.tasks)
  assert.equal(new Set(landed).size, landed.length, 'I3: a task lands once')
}

function record(world: World, fact: Fact): void {
  const event = stamp(world, fact, world.journal.length + 1)
  world.journal.push(event)
  world.state = apply(world.state, event)
}

function stamp(world: World, fact: Fact, seq: number): Event {
  return { ...fact, seq, at: world.now }
}

function commitId(n: number): string {
  return n.toString(16).padStart(40, '0')
}
