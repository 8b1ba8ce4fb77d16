// What an attempt of a run is made of, from what the run has and knows.

import { AUTO, modelOf } from '../../attempt/agent-of-task.ts'
import { attemptsBefore, earlierFailure } from '../../attempt/earlier-failure.ts'
import { keptText } from '../../attempt/kept-text.ts'
import type { AttemptSpec } from '../../attempt/order.ts'
import { promptFacts } from '../../attempt/prompt-facts.ts'
import type { Fact } from '../../event.ts'
import { secretValues } from '../../process/secrets.ts'
import { allowanceOf, tightestBudget } from '../../scheduler/budgets/accounts.ts'
import { grantedTo } from '../../scheduler/claims/asked.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { indexOf, type RunState, record, unitState } from '../../scheduler/state.ts'
import type { Note } from '../../status.ts'
import type { Task } from '../../task.ts'
import { attemptFolder, attemptToken, newestIteration } from '../../workspace/folder.ts'
import type { RunContext } from './context.ts'

type Which = { id: string; number: number; slot: number; base: string }

/** What the run hears of it while it works. */
type AttemptTelling = { progress(message: string): void; fact(fact: Fact): void }

export function attemptSpec(context: RunContext, { id, number, slot, base }: Which, tell: AttemptTelling): AttemptSpec {
  const { id: run, state, folder, settings, environment, engine, include, setupKey } = context
  const index = state.graph.taskIndex.get(id) ?? -1
  const task = taskOf(context, index)
  const unit = state.graph.units[state.graph.unitOf[index] ?? -1]
  const outputOf = (attempt: number) => newestIteration(attemptFolder(folder, run, id, attempt)).work
  const resolves = resolvesOf(context, index)
  const secrets = secretValues({ ...environment, ...task.env })
  const { agent, choice } = record(state, index).history.find((view) => view.attempt === number) ?? {}
  const current = record(state, index).state
  return {
    run,
    task,
    attempt: number,
    slot,
    base,
    askedToStopAt: current.status === 'running' ? current.askedToStopAt : null,
    continues: unit !== undefined && unit.members[0] !== index,
    setupKey,
    include,
    engine,
    agent: context.agentOf(task, agent),
    model: choice?.model ?? modelOf(task, settings, agent),
    resolves: resolves?.commit === base ? resolves : null,
    templates: context.templates,
    told: () => promptFacts(context, index, agent),
    expertise: () => context.learner.expertise(task),
    earlier: () => earlierFailure(attemptsBefore(record(state, index).history, base, resolves), number, outputOf),
    view: () => record(state, index).history.find((view) => view.attempt === number),
    notes: () => notesOf(context, id, number),
    granted: () => grantedTo(record(state, index).history),
    stateRoot: folder.root,
    folder: attemptFolder(folder, run, id, number),
    token: attemptToken(run, state.seed, id, number),
    settings,
    environment,
    secrets,
    progress: (message) => tell.progress(keptText(message, secrets)),
    budgets: {
      tightestUsd: () => tightestBudget(state, index),
      allowanceUsd: () => allowanceOf(state, index),
      spent: (costUsd, ended) =>
        tell.fact({ type: 'attempt.spent', task: id, attempt: number, costUsd, ...(ended ? { ended } : {}) }),
    },
  }
}

/** What was left in the store in this very moment counts too: the agent may have ended right after it. */
async function notesOf({ id: run, state, store }: RunContext, id: string, attempt: number): Promise<Note[]> {
  const waiting = (await store.requests(run, state.lastRequest)).filter((one) => one.type === 'note')
  const index = state.graph.taskIndex.get(id) ?? -1
  const { notes = [] } = record(state, index).history.find((view) => view.attempt === attempt) ?? {}
  const mine = waiting.filter((note) => note.task === id && note.attempt === attempt)
  return [...notes, ...mine.map(({ kind, text, details }) => ({ kind, text, details, at: Date.now() }))]
}

/** The conflict that an attempt of the task is to resolve. */
export function resolvesOf({ state }: RunContext, index: number): AttemptSpec['resolves'] {
  return unitState(state, state.graph.unitOf[index] ?? -1)?.resolves ?? null
}

export function taskOf({ state }: RunContext, index: number): Task {
  const task = state.graph.tasks[index]
  if (!task) throw new Error(`there is no task ${index}`)
  return task
}

// `model: auto`: the choice that goes into the journal with the attempt it is for.

export function withModel(fact: Fact, { state, settings, learner }: RunContext): Fact {
  if (fact.type !== 'attempt.started' || fact.agent === undefined) return fact
  const index = indexOf(state, fact.task)
  const task = taskAt(state.graph, index)
  if (modelOf(task, settings, fact.agent) !== AUTO) return fact
  const { history } = record(state, index)
  const choice = learner.choose({ task, agent: fact.agent, history, budgetUsd: budgetForEach(state) })
  return choice ? { ...fact, choice } : fact
}

/** What is left of the run's budget for each task that is not over. */
function budgetForEach({ limits, usage, counts }: RunState): number | null {
  if (limits.budget.usd === null) return null
  const left = counts.pending + counts.ready + counts.running
  return Math.max(0, limits.budget.usd - usage.costUsd) / Math.max(1, left)
}
