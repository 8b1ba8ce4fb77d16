// The engine of server.ts: the real scheduler and the real store on a run of 10,000 tasks. Every tick one task ends, lands, and
// another starts: four events, 50 a second. What executes tasks is left out, so that a tick is all that there is to slow down.
import { limitsOf } from '../src/engine/open/limits.ts'
import type { Event, Fact } from '../src/event.ts'
import { DEFAULT_SETTINGS, openRun } from '../src/index.ts'
import { apply } from '../src/scheduler/apply/apply.ts'
import { decide } from '../src/scheduler/decide.ts'
import { emptyState } from '../src/scheduler/state.ts'
import { runSummary, taskView } from '../src/scheduler/view.ts'
import { openStore } from '../src/store/open.ts'
import { stateFolder } from '../src/workspace/state-folder.ts'
import { workspaceAt } from '../test/rig/workspace-at.ts'
import { largePlan } from './large-plan.ts'

/** In ms, of each since `measure`. */
export type Ticks = { ticks: number[] }

const TASKS = 10_000
const TICKS_PER_SECOND = 12.5
const SLOTS = 50

const [repo = ''] = process.argv.slice(2)
const plan = largePlan(TASKS, 'epics')
const settings = { ...DEFAULT_SETTINGS, maxConcurrency: SLOTS }
const opened = await openRun(await workspaceAt(repo), { plan, settings })
if (!opened.ok) throw new Error(opened.problems[0]?.message)
const { id } = opened.value
const { base, branch } = opened.value.status()
const store = await openStore(stateFolder(repo, null).database)
if (!store.ok) throw new Error(store.problems[0]?.message)

const [started] = await store.value.events(id)
const state = emptyState(plan, limitsOf(settings))
if (started) apply(state, started)
const facts = { run: id, name: plan.name, repo, enginePid: process.pid }
let seq = 1
let ticks: number[] = []

async function tick(first: Fact | null): Promise<void> {
  if (!store.ok) return
  const events: Event[] = []
  const add = (fact: Fact) => {
    const event = { ...fact, seq: seq + events.length + 1, at: Date.now() }
    events.push(event)
    apply(state, event)
  }
  if (first) add(first)
  for (let next = decide(state, Date.now()); next; next = decide(state, Date.now())) {
    add(next)
    if (next.type !== 'landing.started') continue
    for (const { tasks } of next.items) add({ type: 'landing.landed', tasks, commit: base, onto: next.onto })
  }
  const tasks = [...state.changed].map((index) => taskView(state, index))
  state.changed.clear()
  await store.value.append(id, events, { run: { ...runSummary(state, facts), branch }, tasks })
  seq += events.length
}

function finished(): Fact | null {
  const [index] = state.running
  const task = index === undefined ? undefined : state.graph.tasks[index]
  if (!task) return null
  const attempt = state.tasks[index as number]?.history.length ?? 1
  const end = { outcome: 'changed' as const, commit: base, failure: null, diff: null, usage: null, summary: null }
  return { type: 'attempt.finished', task: task.id, attempt, ...end }
}

await tick(null)
process.send?.(id)
const timer = setInterval(async () => {
  const fact = finished()
  const start = performance.now()
  await tick(fact)
  ticks.push(performance.now() - start)
}, 1000 / TICKS_PER_SECOND)

process.on('message', (wish) => {
  if (wish === 'tell') process.send?.({ ticks } satisfies Ticks)
  ticks = []
})
process.on('disconnect', () => {
  clearInterval(timer)
  process.exit(0)
})
