// A run of the pure core in a world that is out to break it: a virtual clock, agents that fail, hang, fall silent,
// answer late or twice, landings that conflict, supervisors that vanish, people who cancel, and an engine that dies between any two
// writes and is started again from its journal.
import assert from 'node:assert/strict'
import type { Event, Fact, Limits, StopReason, Verdict } from '../../src/event.ts'
import type { FailureReason } from '../../src/failure.ts'
import { apply } from '../../src/scheduler/apply/apply.ts'
import { reopenable } from '../../src/scheduler/apply/reopen.ts'
import { comparePlan } from '../../src/scheduler/apply/replan.ts'
import { grantedTo, withGranted } from '../../src/scheduler/claims/gained.ts'
import { touchedBy } from '../../src/scheduler/claims/touched-paths.ts'
import { type Decided, decide, nextWake } from '../../src/scheduler/decide.ts'
import { movedPart } from '../../src/scheduler/landing/batch.ts'
import { emptyState, type RunState } from '../../src/scheduler/state.ts'
import { taskView } from '../../src/scheduler/view.ts'
import type { Outcome } from '../../src/status.ts'
import type { Plan, Task } from '../../src/task.ts'
import type { Hold } from '../../src/view.ts'
import { checkPlace, type FleetWorld, lastOf, randomFleet, restForWorker, tellLate, workerActs } from './fleet.ts'
import { addTasks } from './growth.ts'
import { checkDeadlines, checkRemembered, checkSameDispatch, summary } from './history.ts'
import {
  checkAgent,
  checkContinues,
  checkExtended,
  checkInvariants,
  checkStalls,
  checkVerifying,
  checkWorkConserving,
} from './invariants.ts'
import {
  checkSpent,
  checkStart,
  checkTold,
  holds,
  noteCost,
  raiseBudgets,
  randomBudget,
  spending,
  usageOf,
} from './money.ts'
import { changePriority, checkKeepsOut, checkNoRest, holdOrLetGo } from './people.ts'
import { type Random, random } from './random.ts'
import { randomPlan } from './random-plan.ts'
import { talk } from './talk.ts'

/** Of a verification: its number. What a person answers is a request in the store, so it outlives every engine. */
type Coming = { at: number; facts: Fact[]; of: { task: string; attempt: number } | 'landing' | 'person' | number }

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
  /** Commits of the run's branch as the journal has them, oldest first. */
  chain: string[]
  /** How the branch really moved: it may be ahead of the journal. */
  moves: { tasks: string[]; commit: string; onto: string }[]
  /** The work in each commit, and the work that makes the verify commands fail. */
  contents: Map<string, Set<string>>
  bad: Set<string>
  /** Commits that passed, and those whose last verification failed although nothing is wrong with them. */
  passed: Set<string>
  flaked: Set<string>
  ejected: number
  /** What each conflict was found on, by its commit. */
  conflicts: Map<string, string>
  /** Attempts that began with a conflict, answers of a person that counted, and times the run rested for one. */
  resolving: number
  answered: number
  rests: number
  verifications: number
  slotsShrank: boolean
  restarts: number
  replans: number
  /** How often the plan has grown; tasks that were blocked when they came; additions that were refused. */
  growth: { times: number; blocked: number; refused: number }
  triedAgain: number
  /** Attempts that were told to end because they had stalled. */
  stallsEnded: number
  /** Until when an agent may start nothing, and how often a limit or anything else of its provider was why. */
  pausedUntil: Map<string, number>
  /** Those of them that may go on when somebody resumes the run. */
  pausedUntilResumed: Set<string>
  limits429: number
  outages: number
  /** Attempts that another agent does than the one their task would rather have. */
  fallbacks: number
  continued: number
  /** Times that a run ended because all that was left waited for somebody to log in. */
  loginRests: number
  /** Times that finished work did not land yet because somebody at work had claimed what it changed without a claim. */
  waitedForClaims: number
  /** Times that something could have started but for a resource that others had. */
  lacked: number
  /** How often agents asked for more than they had claimed. */
  asked: { granted: number; refused: number }
  /** What people hold, by number, and how often something that could start otherwise waited for it. */
  people: { holds: Map<number, Hold>; newest: number; waits: number }
  fleet: FleetWorld
  /** What each attempt cost, as far as it has told: by task and attempt. */
  costs: Map<string, number>
  /** Times the run rested for want of money, and whether somebody has given it more. */
  budgetRests: number
  budgetRaised: boolean
  budgetStops: number
  replan: (plan: Plan) => void
  /** When a task may be tried again, by task and number of failures: survives restarts. */
  notBefore: Map<string, number>
}

const MAX_STEPS = 20_000
/** How often somebody has what did not succeed tried again. */
const MANY_RETRIES = 2
const OUTCOMES: { [reason in StopReason]?: Outcome } = { timeout: 'timeout', stalled: 'timeout', budget: 'budget' }
/** Merging and moving the branch take less. */
const LANDING_MS = 50

export function simulate(seed: number): World {
  const rnd = random(seed)
  const plan = randomPlan(rnd)
  const fleet = randomFleet(rnd)
  const limits: Limits = {
    timeoutMs: rnd.chance(0.5) ? 20_000 : 90_000,
    retries: rnd.int(3),
    slots: fleet.names.length > 0 && rnd.chance(0.2) ? 0 : 1 + rnd.int(5),
    labels: rnd.chance(0.6) ? ['gpu', 'arm'] : [],
    maxPerEpic: rnd.chance(0.3) ? 1 + rnd.int(2) : null,
    schedule: rnd.chance(0.25) ? 'waves' : 'eager',
    strict: rnd.chance(0.15),
    backoff: { initialMs: 1000, maxMs: 30_000 },
    onStall: rnd.chance(0.5) ? 'retry' : 'report',
    claims: rnd.chance(0.5) ? 'extend' : 'warn',
    landing: {
      verify: rnd.chance(0.6),
      window: 1 + rnd.int(3),
      allgreen: rnd.chance(0.3),
      reruns: 1 + rnd.int(2),
    },
    budget: randomBudget(rnd),
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
    moves: [],
    contents: new Map([[base, new Set()]]),
    bad: new Set(),
    passed: new Set(),
    flaked: new Set(),
    ejected: 0,
    conflicts: new Map(),
    resolving: 0,
    answered: 0,
    rests: 0,
    verifications: 0,
    slotsShrank: false,
    restarts: 0,
    replans: 0,
    growth: { times: 0, blocked: 0, refused: 0 },
    triedAgain: 0,
    stallsEnded: 0,
    pausedUntil: new Map(),
    pausedUntilResumed: new Set(),
    limits429: 0,
    outages: 0,
    fallbacks: 0,
    continued: 0,
    loginRests: 0,
    waitedForClaims: 0,
    lacked: 0,
    asked: { granted: 0, refused: 0 },
    people: { holds: new Map(), newest: 0, waits: 0 },
    fleet,
    costs: new Map(),
    budgetRests: 0,
    budgetRaised: false,
    budgetStops: 0,
    replan: (next) => takeOver(world, next),
    notBefore: new Map(),
  }
  record(world, { type: 'run.started', base, branch: 'espalier/random-1', seed, limits })
  for (let step = 0; ; step++) {
    assert.ok(step < MAX_STEPS, 'I15: the run does not come to rest')
    if (rnd.chance(0.04)) {
      const before = world.state
      restart(world)
      checkRemembered(before, world.state)
    } else if (rnd.chance(0.02)) comeBack(world)
    if (!tick(world)) continue
    if (world.state.finished) {
      const { finished, stop } = world.state
      if (finished !== 'waiting' && (finished !== 'cancelled' || stop !== 'interrupt')) {
        if (!tryAgain(world)) break
        continue
      }
      if (finished === 'waiting' && world.state.counts.conflict > 0) restUntilSomebodyAnswers(world)
      else if (finished === 'waiting') {
        checkNoRest(world)
        const isUnplaced = restForWorker(world, (fact) => record(world, fact))
        const isLoggedOut = needsLogin(world)
        if (isLoggedOut) world.loginRests++
        if ((!isUnplaced && !isLoggedOut) || holds(world)) raiseBudgets(world)
      }
      resume(world)
      takeAnswers(world)
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
  const decisions: Decided[] = []
  const events: Event[] = []
  const { plan } = world
  const live = new Map(world.live)
  const before = world.journal.length
  const happen = (fact: Fact) => {
    const event = stamp(world, fact, before + events.length + 1)
    apply(world.state, event)
    events.push(event)
  }
  if (world.rnd.chance(0.01)) addTasks(world, happen)
  for (let decision = decide(world.state, world.now); decision; decision = decide(world.state, world.now)) {
    if (decision.type === 'run.finished' && world.rnd.chance(0.2) && addTasks(world, happen)) continue
    checkDecision(world, decision)
    happen(decision)
    decisions.push(decision)
    if (decision.type === 'attempt.started') world.live.set(decision.task, { attempt: decision.attempt })
    if (decision.type === 'attempt.finished') world.live.delete(decision.task)
  }
  if (events.length > 0 && world.rnd.chance(0.02)) {
    world.live = live
    world.plan = plan
    restart(world)
    return false
  }
  world.journal.push(...events)
  checkInvariants(world)
  checkWorkConserving(world)
  checkStalls(world)
  checkVerifying(world)
  checkSpent(world)
  countWaiting(world)
  checkDeadlines(world, decisions)
  for (const decision of decisions) perform(world, decision)
  return true
}

function needsLogin({ state }: World): boolean {
  return [...state.paused.values()].some((pause) => pause.needsLogin)
}

function countWaiting(world: World): void {
  const { state, limits } = world
  const isFree = !state.batch.building && state.batch.items.length === 0 && state.stop === null
  if (isFree && limits.claims === 'extend') world.waitedForClaims += state.landingQueue.size
}

function checkDecision(world: World, decision: Decided): void {
  const { state, plan } = world
  checkExtended(world, decision)
  if (decision.type === 'attempt.stopping' && decision.reason === 'stalled') {
    assert.equal(state.limits.onStall, 'retry', `${decision.task} is only to be reported`)
    const { stalledSince } = taskView(state, state.graph.taskIndex.get(decision.task) ?? -1)
    assert.ok(stalledSince !== null, `${decision.task} has not stalled`)
    world.stallsEnded++
  }
  if (decision.type === 'attempt.stopping' && decision.reason === 'budget') world.budgetStops++
  if (decision.type === 'attempt.finished')
    assert.ok(world.fleet.machines.has(lastOf(world, decision.task)?.worker ?? ''), `${decision.task} has no worker`)
  if (decision.type !== 'attempt.started') return
  checkPlace(world, decision)
  const task = plan.tasks[state.graph.taskIndex.get(decision.task) ?? -1]
  assert.ok(task)
  const { failedTries } = state.tasks[state.graph.taskIndex.get(decision.task) ?? -1] ?? { failedTries: 0 }
  assert.ok(
    (world.notBefore.get(`${decision.task}#${failedTries}`) ?? 0) <= world.now,
    `I13: ${decision.task} does not wait for its next try`,
  )
  checkAgent(world, decision)
  checkContinues(world, decision)
  checkKeepsOut(world, decision)
  checkStart(world, decision, task)
  assert.ok(!world.live.has(decision.task), `I2: ${decision.task} is alive already`)
  assert.ok(!world.terminal.has(decision.task), `I1: ${decision.task} has come to rest and starts again`)
  const unit = state.graph.units[state.graph.unitOf[state.graph.taskIndex.get(decision.task) ?? -1] ?? -1]
  const inside = new Set(unit?.members.map((m) => plan.tasks[m]?.id))
  for (const need of task.needs) {
    const view = taskView(state, state.graph.taskIndex.get(need) ?? -1)
    if (inside.has(need)) assert.ok(['landing', 'passed'].includes(view.status), `I4: ${task.id} before ${need}`)
    else assert.ok(['landed', 'passed'].includes(view.status), `I4: ${task.id} started before ${need} landed`)
    const reached = world.chain.indexOf(world.conflicts.get(decision.base) ?? decision.base)
    if (view.landedCommit && reached >= 0)
      assert.ok(world.chain.indexOf(view.landedCommit) <= reached, `I4: the base of ${task.id} has ${need}`)
  }
}

function perform(world: World, decision: Decided): void {
  const { rnd, now } = world
  if (decision.type === 'attempt.started') {
    const { task, attempt } = decision
    if (world.conflicts.has(decision.base)) world.resolving++
    if (decision.insteadOf) world.fallbacks++
    if (decision.continues !== undefined) world.continued++
    const at = now + 100 + rnd.int(rnd.chance(0.1) ? 200_000 : 20_000)
    spending(world, task, attempt, at)
    if (decision.agent && rnd.chance(0.5)) {
      const fact: Fact = { type: 'attempt.stirred', task, attempt, answered: true }
      world.coming.push({ at: now + rnd.int(at - now), facts: [fact], of: { task, attempt } })
    }
    const hangs = rnd.chance(0.2) && fallSilent(world, task, attempt, at) && rnd.chance(0.5)
    if (!hangs) world.coming.push({ at, facts: [result(world, task, attempt)], of: { task, attempt } })
  } else if (decision.type === 'attempt.stopping') {
    // The real result may still win the race against the end of the process tree.
    const { task, attempt, reason } = decision
    if ((reason === 'stalled' || reason === 'budget') && rnd.chance(0.2)) {
      // Its agent had ended by itself: what is left of the attempt may pass, fail or hang.
      world.coming.push({ at: now, facts: [{ type: 'attempt.stirred', task, attempt }], of: { task, attempt } })
      return
    }
    const failure = { reason, message: reason }
    const outcome = OUTCOMES[reason] ?? 'cancelled'
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
    world.coming.push({ at: now + rnd.int(5000), facts: [fact], of: { task, attempt } })
  } else if (decision.type === 'landing.started')
    world.coming.push({ at: now + rnd.int(LANDING_MS), facts: build(world, decision), of: 'landing' })
  else if (decision.type === 'landing.moving')
    world.coming.push({
      at: now + rnd.int(LANDING_MS),
      facts: move(world, moved(world, decision.commit), decision.onto),
      of: 'landing',
    })
  else if (decision.type === 'landing.verifying') {
    world.verifications++
    const { verification, commit } = decision
    const fact: Fact = { type: 'landing.verified', verification, commit, verdict: verdict(world, commit) }
    world.coming.push({ at: now + rnd.int(60_000), facts: [fact], of: verification })
  } else if (decision.type === 'landing.halting') halted(world, decision.verification)
  else if (decision.type === 'landing.refused' && decision.failure.reason === 'landing-failed') {
    world.ejected++
    const work = decision.tasks.flatMap((task) => {
      // It may have been started again already.
      const { history = [] } = world.state.tasks[world.state.graph.taskIndex.get(task) ?? -1] ?? {}
      return history.findLast((attempt) => attempt.failure === decision.failure)?.commit ?? []
    })
    assert.ok(
      work.some((commit) => world.bad.has(commit)),
      `G5: ${decision.tasks} was ejected, and nothing is wrong with it`,
    )
  }
}

/** Merges one on top of the other. Some conflict: with what has landed they are refused, with others of the batch they wait. */
function build(world: World, { items, onto, verify }: Extract<Decided, { type: 'landing.started' }>): Fact[] {
  const { rnd } = world
  if (!verify && world.moves.some((move) => move.onto === onto)) return landedAlready(world, items, onto)
  const facts: Fact[] = []
  const built: typeof items = []
  let head = onto
  for (const { tasks, commit: work } of items) {
    if (rnd.chance(0.1)) {
      if (head !== world.chain.at(-1)) continue
      const failure = {
        reason: 'conflict' as const,
        message: 'conflict',
        paths: [rnd.pick(['src/a/x.ts', 'docs/guide.md', 'z'])],
      }
      const refused: Fact = { type: 'landing.refused', tasks, onto, failure, retry: rnd.chance(0.8) }
      facts.push(rnd.chance(0.6) ? toResolve(world, refused) : refused)
      continue
    }
    const commit = commitId(++world.commits)
    world.contents.set(commit, new Set([...(world.contents.get(head) ?? []), work]))
    built.push({ tasks, commit })
    head = commit
  }
  if (verify) return [...facts, { type: 'landing.built', items: built, onto }]
  const landed = move(world, built, onto)
  const isAll = facts.length + built.length === items.length
  return [...facts, ...landed, ...(isAll ? [] : [nothingBuilt(onto)])]
}

/** By an agent, or by a person, who answers some time later: once, twice, or not before the run rests. */
function toResolve(world: World, refused: Extract<Fact, { type: 'landing.refused' }>): Fact {
  const { rnd } = world
  const by = refused.tasks.length > 1 || rnd.chance(0.5) ? ('person' as const) : ('agent' as const)
  const commit = commitId(++world.commits)
  world.conflicts.set(commit, refused.onto)
  if (by === 'person')
    for (let answers = 1 + rnd.int(2); answers > 0; answers--) {
      const at = world.now + LANDING_MS + rnd.int(rnd.chance(0.5) ? 1_000 : 500_000)
      world.coming.push({ at, facts: [answer(world, rnd.pick(refused.tasks), commit)], of: 'person' })
    }
  return { ...refused, retry: by === 'agent', conflict: { commit, onto: refused.onto, by } }
}

function answer(world: World, task: string, conflict: string): Fact {
  const { rnd } = world
  const commit = rnd.chance(0.2) ? null : commitId(++world.commits)
  if (commit !== null && rnd.chance(0.1)) world.bad.add(commit)
  return { type: 'task.resolved', task, conflict, commit, diff: null, request: null }
}

/** No engine lives. Somebody may look in and go away again before one of them answers. */
function restUntilSomebodyAnswers(world: World): void {
  const { state, rnd } = world
  world.rests++
  assert.ok(state.counts.conflict > 0, 'a run waits, and nothing is in conflict')
  assert.equal(state.counts.running, 0, 'I15: a run rests, and something runs')
  // One whose time has come may wait for its wave, and another for what a changed plan has made it need.
  const isDelayed = (index: number) => state.units[state.graph.unitOf[index] ?? -1]?.status === 'delayed'
  const retries = state.graph.tasks.map((_, index) => (isDelayed(index) ? (taskView(state, index).retryAt ?? 0) : 0))
  checkNoRest(world)
  if (!holds(world, 'run'))
    assert.ok(Math.max(...retries) <= world.now, 'I15: a run rests, and something is to be tried again')
  const answers = world.coming.filter(({ of }) => of === 'person')
  assert.ok(answers.length > 0, 'I15: nobody will ever answer')
  if (rnd.chance(0.9)) world.now = Math.max(world.now, Math.min(...answers.map(({ at }) => at)))
}

/** An engine begins with what was left for it. */
function takeAnswers(world: World): void {
  const due = world.coming.filter(({ of, at }) => of === 'person' && at <= world.now)
  world.coming = world.coming.filter((one) => !due.includes(one))
  for (const one of due) deliver(world, one)
}

function nothingBuilt(onto: string): Fact {
  return { type: 'landing.built', items: [], onto }
}

/** After a crash between moving the branch and recording it: what is on the branch is not done again (I3). */
function landedAlready(world: World, items: { tasks: string[] }[], onto: string): Fact[] {
  const from = world.moves.findIndex((move) => move.onto === onto)
  const landed = world.moves.slice(from).map((move): Fact => ({ type: 'landing.landed', ...move }))
  return [...landed, ...(landed.length < items.length ? [nothingBuilt(onto)] : [])]
}

function idsOf({ state: { graph } }: World, unit: number): string[] {
  return graph.units[unit]?.members.map((member) => graph.tasks[member]?.id ?? '') ?? []
}

function moved(world: World, commit: string): { tasks: string[]; commit: string }[] {
  return movedPart(world.state, commit).map((one) => ({ tasks: idsOf(world, one.unit), commit: one.commit }))
}

function move(world: World, items: { tasks: string[]; commit: string }[], onto: string): Fact[] {
  const from = world.moves.findIndex((one) => one.onto === onto)
  if (from === -1) {
    const at = world.moves.at(-1)?.commit ?? world.chain[0]
    assert.equal(onto, at, 'G4: the branch moves from where it stands')
    let head = onto
    for (const { tasks, commit } of items) {
      world.moves.push({ tasks, commit, onto: head })
      head = commit
    }
    checkMove(world, items)
  }
  const start = world.moves.findIndex((one) => one.onto === onto)
  const moved = start === -1 ? [] : world.moves.slice(start, start + items.length)
  return moved.map((one): Fact => ({ type: 'landing.landed', ...one }))
}

function checkMove(world: World, items: { commit: string }[]): void {
  const { verify, allgreen } = world.limits.landing
  const last = items.at(-1)
  if (!verify || !last) return
  assert.ok(world.passed.has(last.commit), 'G1, G2: what the branch moves to has passed')
  if (allgreen) for (const { commit } of items) assert.ok(world.passed.has(commit), 'every commit has passed')
  for (const work of world.contents.get(last.commit) ?? []) assert.ok(!world.bad.has(work), 'nothing bad lands')
}

/** A flake is not seen twice in a row on the same commit: that one re-run tells it from a failure. */
function verdict(world: World, commit: string): Verdict {
  const { rnd, passed, flaked, bad } = world
  const isBad = [...(world.contents.get(commit) ?? [])].some((work) => bad.has(work))
  const flakes = !flaked.has(commit) && rnd.chance(0.05)
  const failure = { reason: 'landing-failed' as const, message: 'exit 1' }
  if (isBad || flakes) {
    if (!isBad) flaked.add(commit)
    return { passed: false, cached: false, durationMs: 1, failure }
  }
  passed.add(commit)
  flaked.delete(commit)
  return { passed: true, cached: rnd.chance(0.1), durationMs: 1, failure: null }
}

/** Its result may win the race against the end of its commands. */
function halted(world: World, verification: number): void {
  const { rnd, now } = world
  const found = world.coming.find((coming) => coming.of === verification)
  if (!found) return
  const [fact] = found.facts
  if (fact?.type !== 'landing.verified' || rnd.chance(0.2)) return
  world.coming = world.coming.filter((coming) => coming !== found)
  world.coming.push({ at: now + rnd.int(5000), facts: [{ ...fact, verdict: null }], of: verification })
}

/** Between now and then its agent says nothing for too long, once or more often, and may stir again or not. */
function fallSilent(world: World, task: string, attempt: number, until: number): true {
  const { rnd, now } = world
  for (let silences = 1 + rnd.int(3); silences > 0; silences--) {
    const since = now + rnd.int(until - now)
    const at = since + rnd.int(until - since)
    world.coming.push({ at, facts: [{ type: 'attempt.stalled', task, attempt, since }], of: { task, attempt } })
    if (rnd.chance(0.3)) continue
    const stirs: Fact = { type: 'attempt.stirred', task, attempt }
    world.coming.push({ at: at + rnd.int(until - at), facts: [stirs], of: { task, attempt } })
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
    usage: usageOf(world),
    summary: null,
    commit: null,
  } as const
  if (rnd.chance(0.05))
    return { ...nothing, outcome: 'crashed', failure: { reason: 'supervisor-lost', message: 'gone' } }
  const { work } = world.plan.tasks.find((one) => one.id === task) ?? {}
  // What an agent had done when it was interrupted is kept, and continued.
  const begun = rnd.chance(0.5) ? { commit: commitId(++world.commits) } : {}
  if (work?.kind === 'prompt' && rnd.chance(0.1)) {
    const limitedUntil = rnd.chance(0.7) ? world.now + rnd.int(100_000) : null
    const failure = { reason: 'rate-limited', message: '429' } as const
    return { ...nothing, ...begun, outcome: 'rate-limited', failure, limitedUntil }
  }
  if (work?.kind === 'prompt' && rnd.chance(0.08)) {
    const reason = rnd.pick(['provider-unreachable', 'login-failed'] as const)
    return { ...nothing, ...begun, outcome: 'failed', failure: { reason, message: 'no way' } }
  }
  if (lastOf(world, task)?.worker !== 'local' && rnd.chance(0.1)) {
    // Its worker was cut off, ended it, and was back before anybody missed it.
    const failure = { reason: 'worker-lost', message: 'cut off' } as const
    return { ...nothing, outcome: 'crashed', commit: commitId(++world.commits), failure }
  }
  if (rnd.chance(0.2)) return { ...nothing, outcome: 'failed', failure: { reason: 'agent-failed', message: 'exit 1' } }
  if (rnd.chance(0.1)) return { ...nothing, outcome: 'no-change', failure: null }
  const commit = commitId(++world.commits)
  if (rnd.chance(0.1)) world.bad.add(commit)
  return { ...nothing, outcome: 'changed', failure: null, commit, ...touched(world, task) }
}

/** Some change what they have not claimed. */
function touched({ rnd, state }: World, task: string): ReturnType<typeof touchedBy> {
  const { claims } = state.graph.tasks[state.graph.taskIndex.get(task) ?? -1] ?? {}
  const paths = ['src/a/x.ts', 'src/b/y.ts', 'docs/guide.md', 'db/one.sql', 'lock', 'z'].filter(() => rnd.chance(0.15))
  return claims ? touchedBy(claims, paths) : {}
}

/** What it changed is held against its claims when it ends: by then it may have been granted more. */
function withGrants({ state }: World, fact: Fact): Fact {
  if (fact.type !== 'attempt.finished' || !fact.touched) return fact
  const index = state.graph.taskIndex.get(fact.task) ?? -1
  const { claims } = state.graph.tasks[index] ?? {}
  if (!claims) return fact
  const { undeclared, ...rest } = fact
  const granted = grantedTo(state.tasks[index]?.history ?? [])
  return { ...rest, ...touchedBy(withGranted(claims, granted), fact.touched.paths) }
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
    next.facts = next.facts.map((fact) => withGrants(world, fact))
    deliver(world, next)
    if (rnd.chance(0.1)) world.past.push(...next.facts)
  } else {
    assert.ok(wake !== null, `I15: nothing is under way and nothing will be: ${JSON.stringify(world.state.counts)}`)
    world.now = Math.max(world.now, wake)
  }
  if (rnd.chance(0.1)) talk(world, (fact) => record(world, fact))
  if (rnd.chance(0.01)) addTasks(world, (fact) => record(world, fact))
  if (rnd.chance(0.03)) holdOrLetGo(world, (fact) => record(world, fact))
  if (rnd.chance(0.05)) workerActs(world, (fact) => record(world, fact))
  if (rnd.chance(0.03)) changePriority(world, (fact) => record(world, fact))
  if (world.past.length > 0 && rnd.chance(0.2)) {
    const fact = rnd.pick(world.past)
    // An engine never repeats a landing (it asks the branch first), but results may come twice.
    if (fact.type.startsWith('attempt.')) record(world, fact)
    checkInvariants(world)
  }
}

function deliver(world: World, { facts, of }: Coming): void {
  if (typeof of === 'object') {
    if (world.live.get(of.task)?.attempt !== of.attempt) {
      tellLate(world, facts, (fact) => record(world, fact))
      return
    }
    if (facts.some((fact) => fact.type === 'attempt.finished')) world.live.delete(of.task)
  }
  for (const fact of facts) {
    noteLimit(world, fact)
    noteCost(world, fact)
    if (fact.type === 'task.resolved' && !world.state.graph.taskIndex.has(fact.task)) continue
    if (fact.type === 'task.resolved') {
      answered(world, fact)
      continue
    }
    if (fact.type === 'landing.landed') {
      assert.equal(fact.onto, world.chain.at(-1), 'I7: a landing moves the branch from where it stands')
      world.chain.push(fact.commit)
    }
    record(world, fact)
  }
  checkInvariants(world)
  if (typeof of !== 'object') return
  const index = world.state.graph.taskIndex.get(of.task) ?? -1
  const { retryAt } = taskView(world.state, index)
  if (retryAt !== null) world.notBefore.set(`${of.task}#${world.state.tasks[index]?.failedTries}`, retryAt)
}

function noteLimit(world: World, fact: Fact): void {
  const shortestMs =
    fact.type === 'attempt.finished' && fact.failure ? SHORTEST_PAUSE_MS[fact.failure.reason] : undefined
  if (fact.type !== 'attempt.finished' || shortestMs === undefined) return
  const index = world.state.graph.taskIndex.get(fact.task) ?? -1
  const current = world.state.tasks[index]?.state
  if (current?.status !== 'running' || current.attempt !== fact.attempt) return
  const isStart = (event: Event) =>
    event.type === 'attempt.started' && event.task === fact.task && event.attempt === fact.attempt
  const started = world.journal.findLast(isStart)
  if (started?.type !== 'attempt.started' || started.agent === undefined) return
  const { agent } = started
  const isLimit = fact.failure?.reason === 'rate-limited'
  if (isLimit) world.limits429++
  else world.outages++
  // Without a time it is at least the shortest pause there is.
  const until = fact.limitedUntil ?? world.now + shortestMs
  if (until > (world.pausedUntil.get(agent) ?? 0)) world.pausedUntil.set(agent, until)
  if (!isLimit) world.pausedUntilResumed.add(agent)
}

const SHORTEST_PAUSE_MS: Partial<Record<FailureReason, number>> = {
  'rate-limited': 10_000,
  'provider-unreachable': 10_000,
  'login-failed': 60_000,
}

/** Whoever resumes may have put right what is theirs to put right: nothing is known of those agents any more. */
function resumed(world: World, limits: Limits): void {
  for (const agent of world.pausedUntilResumed) world.pausedUntil.delete(agent)
  world.pausedUntilResumed.clear()
  record(world, { type: 'run.resumed', limits })
}

/** An answer to another conflict than the one that waits, or a second one, changes nothing. */
function answered(world: World, fact: Extract<Fact, { type: 'task.resolved' }>): void {
  const look = () => taskView(world.state, world.state.graph.taskIndex.get(fact.task) ?? -1)
  const before = look()
  record(world, fact)
  const counts = before.conflict?.commit === fact.conflict
  if (counts) world.answered++
  const expected = !counts ? before.status : fact.commit === null ? 'failed' : 'landing'
  // The members of an epic go down with the one that failed.
  if (expected === 'failed') assert.ok(['failed', 'blocked'].includes(look().status))
  else assert.equal(look().status, expected, `an answer to ${fact.conflict}, and ${before.conflict?.commit} waits`)
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

/** As the real engine does it: what was landing is taken up from what the journal says, not from what was under way. */
function comeBack(world: World): void {
  if (world.state.finished || world.state.stop !== null) return
  restart(world)
  world.coming = world.coming.filter(({ of }) => of !== 'landing')
  resumed(world, world.state.limits)
  recover(world)
}

function recover(world: World): void {
  const { batch } = world.state
  if (batch.building) {
    const { items, onto, verify } = batch.building
    const again = items.map(({ unit, work }) => ({ tasks: idsOf(world, unit), commit: work }))
    perform(world, { type: 'landing.started', items: again, onto, verify })
  }
  if (batch.moving !== null) perform(world, { type: 'landing.moving', commit: batch.moving, onto: world.state.head })
  for (const { number } of batch.verifications) halted(world, number)
}

function resume(world: World): void {
  const slots = world.limits.slots === 0 ? 0 : 1 + world.rnd.int(5)
  if (world.rnd.chance(0.5)) changePlan(world)
  if (slots < world.state.limits.slots) world.slotsShrank = true
  const onStall = world.rnd.chance(0.2) ? 'report' : world.limits.onStall
  resumed(world, { ...world.limits, slots, onStall })
}

/** A person edits the plan while nothing runs: tasks come, go and change their needs. */
function changePlan(world: World): void {
  const { rnd } = world
  const written = world.state.graph.tasks.filter(() => !rnd.chance(0.15)).map((task) => ({ ...task }))
  const left = new Set(written.map((task) => task.id))
  const other = randomPlan(rnd).tasks.slice(0, 4)
  const waits = ({ needs, after }: Task) => needs.length + after.length > 0
  const asItWas = ({ id }: Task) => world.state.graph.tasks[world.state.graph.taskIndex.get(id) ?? -1] as Task
  const shared = new Set(written.filter((task) => task.isolation === 'epic').map((task) => task.epic))
  for (const task of written) {
    task.needs = task.needs.filter((id) => left.has(id))
    task.after = task.after.filter((id) => left.has(id))
    if (rnd.chance(0.2) && task.isolation === 'task') task.needs = []
    if (rnd.chance(0.2)) task.retries = (task.retries ?? world.limits.retries) + rnd.int(2)
    // What waits for nothing, as it was and as it is written now, makes no circle.
    const isLoose = (one: Task) => one !== task && one.isolation === 'task' && !waits(one) && !waits(asItWas(one))
    const loose = written.filter(isLoose)
    if (rnd.chance(0.2) && task.isolation === 'task' && loose.length > 0)
      task.needs = [...new Set([...task.needs, rnd.pick(loose).id])]
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
  takeOver(world, plan)
  for (const id of difference.removed.filter((gone) => plan.tasks.some((task) => task.id === gone)))
    record(world, { type: 'task.cancelled', task: id, request: null })
  world.replans++
}

/** Somebody wants what did not succeed to be tried again, all of it or one. False: nobody does. */
function tryAgain(world: World): boolean {
  const { state, rnd, plan } = world
  if (world.triedAgain === MANY_RETRIES || rnd.chance(0.7)) return false
  const bad = reopenable(state, null)
  if (bad.length === 0) return false
  const again = rnd.chance(0.5) ? bad : reopenable(state, [rnd.pick(bad)])
  const landed = state.counts.landed
  record(world, { type: 'run.replanned', plan, again })
  assert.equal(world.state.counts.landed, landed, 'what has landed stays landed')
  assert.equal(world.state.finished, null)
  for (const id of again) world.terminal.delete(id)
  const done = bad.filter((id) => !again.includes(id)).find(() => rnd.chance(0.3))
  if (done !== undefined) dropDoneElsewhere(world, done)
  world.triedAgain++
  resume(world)
  return true
}

/** What did not succeed, and another run has done since. */
function dropDoneElsewhere(world: World, task: string): void {
  record(world, { type: 'task.cancelled', task, request: null, dropped: 'done elsewhere' })
  world.terminal.set(task, 'cancelled')
  assert.ok(!reopenable(world.state, null).includes(task), `${task} is not to be done any more`)
}

function takeOver(world: World, plan: Plan): void {
  record(world, { type: 'run.replanned', plan })
  world.plan = plan
}

export function replay(plan: Plan, limits: Limits, journal: Event[]): RunState {
  return journal.reduce(apply, emptyState(plan, limits))
}

function checkRest(world: World): void {
  const { state } = world
  const { pending, ready, running, landing, conflict } = state.counts
  const open = pending + ready + running + landing + conflict
  assert.equal(open, 0, 'I15: every task has come to rest')
  assert.equal(state.workers.atWork.size, 0, 'no slot is kept')
  assert.ok(
    state.workers.all.every(({ taken, running }) => taken + running === 0),
    'nobody is counted where nothing runs',
  )
  const again = replay(world.original, world.limits, world.journal)
  assert.deepEqual(summary(again), summary(state), 'I14: the journal gives the same state again')
  checkSameDispatch(world)
  checkTold(world)
  const landed = world.journal.filter((event) => event.type === 'landing.landed').flatMap((event) => event.tasks)
  assert.equal(new Set(landed).size, landed.length, 'I3: a task lands once')
  assert.equal(
    state.head,
    world.moves.at(-1)?.commit ?? world.chain[0],
    'I11: the journal has every move of the branch',
  )
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
