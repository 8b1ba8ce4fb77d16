// What a decision costs with a thousand workers: they differ in labels and resources, are lost and come back, and every task
// is counted. The pure core on a virtual clock.
import type { Event, Fact } from '../src/event.ts'
import { apply } from '../src/scheduler/apply/apply.ts'
import { decide } from '../src/scheduler/decide.ts'
import { emptyState, type RunState } from '../src/scheduler/state.ts'
import type { Plan } from '../src/task.ts'
import { random } from '../test/simulation/random.ts'
import { atMost, type Bar, type Report, type Scene } from './benchmark.ts'
import { largePlan } from './large-plan.ts'
import { median } from './statistics.ts'
import { newLimits } from './virtual-run.ts'

const TASKS = 100_000
const FLEETS = [1, 10, 100, 1_000]
const SLOTS = 4
const DECISION_US = 50
const GROWTH = 4
const BLOCK = 100
/** One in so many ends with the loss of a worker, which comes back a little later. */
const LOSS_EVERY = 1_000

export function decisions({ say }: Scene): Report {
  const plan = withLabels(largePlan(TASKS, 'layered'))
  simulate(plan, 10, 2_000) // so that the smallest is not the one that pays for compiling
  const rows = FLEETS.map((workers) => {
    say(`decisions with ${workers} workers`)
    return { workers, ...simulate(plan, workers, workers === 1_000 ? TASKS : 20_000) }
  })
  const [first] = rows
  const last = rows.at(-1) as (typeof rows)[number]
  const bars: Bar[] = [
    atMost(`a decision with ${last.workers} workers`, last.decisionUs, DECISION_US, 'µs'),
    atMost(`growth of a decision, ×${last.workers} workers`, last.decisionUs / (first?.decisionUs ?? 1), GROWTH, '×'),
    atMost('tasks that did not land once', last.notOnce, 0, ''),
  ]
  const columns = ['workers', 'tasks', 'µs per decision', 'decisions', 'workers lost', 'attempts lost']
  const title = `decide and apply, median over blocks of ${BLOCK}; ${SLOTS} slots each; one task in ten asks for a label`
  const cells = rows.map((row) => [row.workers, row.landed, row.decisionUs, row.decisions, row.lost, row.attemptsLost])
  return { tables: [{ title, columns, rows: cells }], bars }
}

function withLabels(plan: Plan): Plan {
  const tasks = plan.tasks.map((task, n) => (n % 10 === 0 ? { ...task, labels: [n % 20 === 0 ? 'gpu' : 'arm'] } : task))
  return { ...plan, tasks }
}

function simulate(plan: Plan, workers: number, until: number) {
  const rnd = random(1)
  const limits = newLimits(0)
  const state: RunState = emptyState(plan, limits)
  const running: { task: string; attempt: number; worker: string }[] = []
  const landed = new Map<string, number>()
  const away: string[] = []
  const costs: number[] = []
  let [seq, ended, decisions, lost, attemptsLost, notOnce] = [0, 0, 0, 0, 0, 0]
  const happen = (fact: Fact) => {
    const event: Event = { ...fact, seq: ++seq, at: ended }
    apply(state, event)
    if (fact.type === 'landing.landed') for (const task of fact.tasks) landed.set(task, (landed.get(task) ?? 0) + 1)
  }
  const join = (n: number) => {
    const labels = n % 2 === 0 ? ['gpu'] : ['arm']
    const all = workers === 1 ? ['gpu', 'arm'] : labels
    happen({ type: 'worker.joined', worker: `w${n}`, slots: SLOTS, labels: all, resources: {} })
  }
  happen({ type: 'run.started', base: COMMIT, branch: 'espalier/fleet-1', seed: 1, limits })
  for (let n = 0; n < workers; n++) join(n)
  let [inBlock, blockMs] = [0, 0]
  while (ended < until) {
    for (;;) {
      const since = performance.now()
      const next = decide(state, ended)
      if (!next) break
      if (next.type === 'attempt.finished') attemptsLost++
      happen(next)
      blockMs += performance.now() - since
      decisions++
      if (++inBlock === BLOCK) {
        costs.push((blockMs * 1_000) / BLOCK)
        ;[inBlock, blockMs] = [0, 0]
      }
      if (next.type === 'attempt.started') running.push({ task: next.task, attempt: next.attempt, worker: next.worker })
      if (next.type === 'landing.started')
        for (const { tasks } of next.items) happen({ type: 'landing.landed', tasks, commit: COMMIT, onto: next.onto })
    }
    state.changed.clear()
    if (state.finished) break
    const at = rnd.int(running.length)
    const one = running[at]
    if (!one) break
    running[at] = running.at(-1) as typeof one
    running.pop()
    ended++
    if (ended % LOSS_EVERY === 0 && workers > 1) {
      happen({ type: 'worker.lost', worker: one.worker, why: 'no heartbeat' })
      away.push(one.worker)
      lost++
      for (let n = running.length - 1; n >= 0; n--) if (running[n]?.worker === one.worker) running.splice(n, 1)
      if (away.length > 3) join(Number(away.shift()?.slice(1)))
      continue
    }
    const diff = { files: 1, insertions: 1, deletions: 0 }
    const result = { outcome: 'changed', commit: COMMIT, failure: null, diff, usage: null, summary: null } as const
    happen({ type: 'attempt.finished', task: one.task, attempt: one.attempt, ...result })
  }
  for (const times of landed.values()) if (times !== 1) notOnce++
  if (until >= plan.tasks.length && state.finished) notOnce += plan.tasks.length - landed.size
  return { decisionUs: median(costs), decisions, lost, attemptsLost, landed: landed.size, notOnce }
}

const COMMIT = 'c'.repeat(40)
