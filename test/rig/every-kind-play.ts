// Brings a scenario of every-kind.ts to its end from wherever it is: the person at the terminal, whose engine may have
// been killed at any moment before.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// From where they are, as in engine-process.ts.
import { openRun } from '../../src/engine/open/open-run.ts'
import { resumeRun } from '../../src/engine/open/resume-run.ts'
import { handBack, openConflict } from '../../src/engine/resolve/resolve-conflict-by-hand.ts'
import type { Run, RunEvent } from '../../src/index.ts'
import { readEvents, readRun } from '../../src/workspace/read-runs.ts'
import { type Scenario, withAgents, withVerify } from './every-kind.ts'
import { makePlan, makeSettings } from './plan.ts'
import { until } from './until.ts'
import { workspaceAt } from './workspace-at.ts'

/** `signals` is the folder of the signals. */
export type Place = { repo: string; signals: string }

export async function play(scenario: Scenario, at: Place): Promise<void> {
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const known = await kindsWritten(at)
    await answer(scenario, at)
    const run = await open(scenario, at, known)
    if (!run) return
    await follow(run, scenario, at, known)
  }
  throw new Error('the run has not come to its end')
}

/** Two engines, as in a run that is interrupted once, one that was killed, and the look that finds it over. */
const MAX_ROUNDS = 4

/** A run that rests because of a conflict goes on once a person has resolved it. Who resolved it may have been killed. */
async function answer({ answer: given }: Scenario, { repo }: Place): Promise<void> {
  const view = given && (await readRun(await workspaceAt(repo)))
  if (!given || !view?.ok || view.value?.status !== 'waiting') return
  const opened = await openConflict(await workspaceAt(repo), { task: given.task })
  if (opened.ok) writeFileSync(join(opened.value.path, given.file), given.text)
  const handed = await handBack(await workspaceAt(repo), { task: given.task })
  if (!handed.ok) throw new Error(JSON.stringify(handed))
}

export type Kinds = ReadonlySet<RunEvent['type']>

/** The kinds of events in the journal of the newest run. */
export async function kindsWritten({ repo }: Place): Promise<Kinds> {
  const view = await readRun(await workspaceAt(repo))
  if (!view.ok) throw new Error(JSON.stringify(view))
  if (!view.value) return new Set()
  const events = await readEvents(await workspaceAt(repo), { run: view.value.run })
  if (!events.ok) throw new Error(JSON.stringify(events))
  return new Set(events.value.map((event) => event.type))
}

/** Null: it is over. */
async function open(scenario: Scenario, { repo, signals }: Place, known: Kinds): Promise<Run | null> {
  const { tasks, verify, added } = scenario
  const commands = verify === undefined ? [] : [withVerify(verify, signals)]
  const settings = { ...scenario.settings, landing: { ...scenario.settings?.landing, verify: commands } }
  const view = await readRun(await workspaceAt(repo))
  if (view.ok && view.value && !view.value.resumable) return null
  const plan = (all: Scenario['tasks']) => makePlan(withAgents(all, signals))
  const isToChange = added && known.has('run.interrupted') && !known.has('run.replanned')
  const replan = isToChange ? plan([...tasks, ...added]) : undefined
  const isOutOfMoney = view.ok && view.value?.status === 'waiting' && scenario.more
  const changes = isOutOfMoney ? [{ from: 'person', settings: scenario.more ?? {} }] : []
  const opened = known.has('run.started')
    ? await resumeRun(await workspaceAt(repo), { replan, changes })
    : await openRun(await workspaceAt(repo), { plan: plan(tasks), settings: makeSettings(settings) })
  if (!opened.ok) throw new Error(JSON.stringify(opened))
  return opened.value
}

/** Until this engine has nothing more to do. */
async function follow(opened: Run, scenario: Scenario, at: Place, known: Kinds): Promise<void> {
  await using run = opened
  let isOver = false
  const late = setTimeout(() => run.abandon(), MAX_ENGINE_MS)
  const going = run.execute().finally(() => {
    isOver = true
    clearTimeout(late)
  })
  const doing = [giveSignals(run, scenario, at), act(run, withGrowth(scenario, at), at, known, () => isOver)]
  const [{ stuck, status }] = await Promise.all([going, ...doing])
  if (stuck !== null) throw new Error(stuck)
  if (status === 'running') throw new Error('the engine waits for something that does not happen')
}

/** One that has forgotten what it had to do would wait for ever. */
const MAX_ENGINE_MS = 60_000

async function giveSignals(run: Run, { signals = {}, later }: Scenario, at: Place): Promise<void> {
  const before = new Set<RunEvent['type']>()
  for await (const event of run.events()) {
    for (const [name, isDue] of Object.entries(signals))
      if (isDue(event, before)) writeFileSync(join(at.signals, name), '')
    before.add(event.type)
    if (later?.when(event)) await later.act(at.repo)
  }
}

function withGrowth({ grows, ...scenario }: Scenario, { signals }: Place): Scenario {
  if (!grows) return scenario
  const act = (run: Run) => run.add({ tasks: makePlan(withAgents(grows, signals)).tasks, epics: [] })
  return { ...scenario, deed: { isDone: 'tasks.added', act } }
}

async function act(run: Run, { deed }: Scenario, at: Place, known: Kinds, isOver: () => boolean): Promise<void> {
  if (!deed || known.has(deed.isDone)) return
  await until('an agent that is ready', () => isOver() || existsSync(join(at.signals, 'ready')), READY_MS)
  if (!isOver()) await deed.act(run, at.repo)
}

const READY_MS = 50_000
