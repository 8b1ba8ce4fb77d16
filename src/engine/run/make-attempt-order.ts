// Makes the order of an attempt from the state of the run, with its prompt: from the plan, the journal and earlier attempts.

import { AUTO, modelOf } from '../../agents/agents-by-name.ts'
import { takesMcp } from '../../agents/mcp-server.ts'
import { ATTEMPT_SETTINGS, type AttemptOrder } from '../../attempt/attempt-order.ts'
import { LIMITS, type Settings } from '../../config.ts'
import type { EventOf, Fact, TakenResources } from '../../event.ts'
import type { FailureReason } from '../../failure.ts'
import { readConflict } from '../../git/landing/conflict-commit.ts'
import { readable } from '../../git/run/path-bytes.ts'
import { keptText, secretValues } from '../../process/secrets.ts'
import { readTail } from '../../process/supervise/read-output.ts'
import type { Earlier, NeedFacts, PromptFacts } from '../../prompts/task-prompt.ts'
import { interruptedPrompt, taskPrompt } from '../../prompts/task-prompt.ts'
import { allowanceOf, tightestBudget } from '../../scheduler/budgets/accounts.ts'
import { grantedTo } from '../../scheduler/claims/gained.ts'
import { taskAt, type Unit } from '../../scheduler/graph.ts'
import { commitOf, indexOf, type RunState, record, retriesOf, unitState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { Idea, Search } from '../../search-definition.ts'
import { LOCAL } from '../../status.ts'
import type { Plan, Task } from '../../task.ts'
import { allTokens, NO_USAGE, usageOf } from '../../usage.ts'
import type { AttemptView } from '../../view.ts'
import { attemptFolder, attemptToken, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'
import type { RunContext } from './run-context.ts'

export type Which = Pick<EventOf<'attempt.started'>, 'task' | 'attempt' | 'worker' | 'slot' | 'base'>

export async function attemptOrder(
  context: RunContext,
  { task: id, attempt, worker, slot, base }: Which,
): Promise<AttemptOrder> {
  const { id: run, state, settings, templates, growth } = context
  const { user } = context.machine.engine
  const index = indexOf(state, id)
  const task = taskAt(state.graph, index)
  const unit = state.graph.units[state.graph.unitOf[index] as number]
  const { state: current, history } = record(state, index)
  const view = history.find((one) => one.attempt === attempt)
  const { resolves } = unitState(state, state.graph.unitOf[index] as number)
  const order = {
    kind: 'attempt' as const,
    run,
    runBase: state.base,
    task,
    attempt,
    token: attemptToken(run, state.seed, id, attempt),
    worker,
    slot,
    resources: orderedResources(growth.plan, view?.resources),
    base,
    search: searchOrder(growth.plan.search, task, state),
    resolves: resolves?.commit === base ? resolves : null,
    interrupted: interruptedBy(history, view, modelOf(task, settings, view?.agent)),
    continues: unit !== undefined && followsInPlace(state, unit, index, { worker, slot }),
    ...suiteOrder(context, index),
    agent: view?.agent ?? null,
    model: view?.choice?.model ?? modelOf(task, settings, view?.agent),
    templates: templates.own,
    granted: grantedTo(history),
    budget: budgetOf(state, index),
    settings: settingsOf(settings, worker),
    signOff: settings.landing.signoff ?? user.signsOff,
    hooks: user.hooks,
    isProbe: state.paused.get(view?.agent ?? '')?.probe === id,
    spentUsd: view?.usage?.costUsd ?? 0,
    askedToStopAt: current.status === 'running' ? current.askedToStopAt : null,
  }
  return { ...order, ...(await promptOf(context, index, order)) }
}

function settingsOf(settings: Settings, worker: string): AttemptOrder['settings'] {
  const own = Object.fromEntries(ATTEMPT_SETTINGS.map((name) => [name, settings[name]])) as AttemptOrder['settings']
  // The coordinator gets the commit of an attempt, and none of its submodules': so their files go into that.
  return worker === LOCAL ? own : { ...own, submodules: 'fail' }
}

/** Another try of a suite entry has a fresh worktree, and that of the last try is kept. */
function suiteOrder(
  { growth: { plan }, state }: RunContext,
  index: number,
): Pick<AttemptOrder, 'fresh' | 'discards' | 'keepFailed'> {
  const { isolation, work } = taskAt(state.graph, index)
  const discards = plan.suite !== undefined && isolation === 'task' && work.kind === 'command'
  const { failedTries } = record(state, index)
  const isFirst = state.graph.units[state.graph.unitOf[index] as number]?.members[0] === index
  const isLast = failedTries >= retriesOf(state, index)
  const keepFailed = plan.suite !== undefined && isLast && state.counts.failed < plan.suite.keepFailed
  return { fresh: plan.suite !== undefined && failedTries > 0 && isFirst, discards, keepFailed }
}

function orderedResources({ resources = {} }: Plan, taken: TakenResources = {}): AttemptOrder['resources'] {
  return Object.entries(taken).map(([name, numbers]) => {
    return { name, numbers, ...(resources[name] ?? { count: Math.max(...numbers) + 1 }) }
  })
}

type OfPromptOrder = 'prompt' | 'continuePrompt' | 'lessons'

/** Reads the state before it awaits anything: it must be the state of the decision. */
async function promptOf(
  context: RunContext,
  index: number,
  order: Omit<AttemptOrder, OfPromptOrder>,
): Promise<Pick<AttemptOrder, OfPromptOrder>> {
  const { task, agent, resolves, attempt, base, interrupted, search } = order
  if (task.work.kind === 'command') return { prompt: null, continuePrompt: null, lessons: [] }
  const { id: run, state, learner, templates } = context
  const { folder, engine, environment } = context.machine
  const facts = promptFacts(
    { ...context, plan: context.growth.plan, planFiles: context.planFile.inRepository },
    index,
    agent ?? undefined,
  )
  const secrets = secretValues({ ...environment, ...task.env })
  const which = { folder, run, state, index, attempt, base }
  const { earlier, interrupted: ended = null } = await earlierFacts(which, interrupted, secrets)
  const conflict = resolves && (await readConflict(engine, resolves.commit)).paths.map(readable)
  const lessons = await learner.expertise(task)
  const expertise = lessons.map(({ text }) => text)
  const asked = search?.role === 'step' ? withIdea(facts.prompt, search.idea) : facts.prompt
  const prompt = taskPrompt(templates, { ...facts, prompt: asked, expertise, earlier, conflict, interrupted: ended })
  const continuePrompt = ended && interruptedPrompt(templates, ended)
  return { prompt, continuePrompt, lessons: lessons.map(({ id }) => id) }
}

/** The attempt that this one continues. Its conversation only with the same agent and model. */
function interruptedBy(
  history: readonly AttemptView[],
  view: AttemptView | undefined,
  model: string | null,
): AttemptOrder['interrupted'] {
  const found = history.find(({ attempt }) => attempt === view?.continues)
  if (!view || !found) return null
  const { attempt, commit, session } = found
  // A conversation exists only on the machine of its attempt.
  const isHere = found.worker === view.worker
  const isSame =
    isHere && session?.agent === view.agent && (found.choice?.model ?? model) === (view.choice?.model ?? model)
  if (!session || !isSame || leadsNowhere(found)) return { attempt, commit, conversation: null }
  const mine = history.filter((one) => one.session?.id === session.id && one.attempt <= attempt)
  return { attempt, commit, conversation: { id: session.id, used: usageOf(mine) } }
}

/** It broke again before any use of the model: the conversation itself may be the cause. */
function leadsNowhere({ continues, failure, usage }: AttemptView): boolean {
  const isBroken = failure !== null && BROKE_OFF.has(failure.reason)
  return continues !== undefined && isBroken && allTokens(usage ?? NO_USAGE) === 0
}

const BROKE_OFF: ReadonlySet<FailureReason> = new Set(['agent-crashed', 'resume-failed', 'stalled'])

export function budgetOf(state: RunState, index: number): AttemptOrder['budget'] {
  return { tightestUsd: tightestBudget(state, index), allowanceUsd: allowanceOf(state, index) }
}

/** Whether the previous task of the shared worktree worked in this very one. Its worker may have been lost since. */
function followsInPlace(
  state: RunState,
  { members }: Unit,
  index: number,
  place: Pick<Which, 'worker' | 'slot'>,
): boolean {
  const position = members.indexOf(index)
  const before = position > 0 ? record(state, members[position - 1] as number).history.at(-1) : undefined
  return before?.worker === place.worker && before.slot === place.slot
}

/** `model: auto`: the choice, which goes into the journal with its attempt. */
export function withModel(
  fact: Fact,
  { state, settings, learner }: Pick<RunContext, 'state' | 'settings' | 'learner'>,
): Fact {
  if (fact.type !== 'attempt.started' || fact.agent === undefined) return fact
  const index = indexOf(state, fact.task)
  const task = taskAt(state.graph, index)
  if (modelOf(task, settings, fact.agent) !== AUTO) return fact
  const { history, failedTries } = record(state, index)
  // A conversation keeps its model.
  const before = history.find(({ attempt, agent }) => attempt === fact.continues && agent === fact.agent)
  if (before?.choice) return { ...fact, choice: before.choice }
  const choice = learner.choose({
    ...{ task, agent: fact.agent, history, budgetUsd: budgetForEach(state) },
    tries: Math.max(1, retriesOf(state, index) + 1 - failedTries),
  })
  return choice ? { ...fact, choice } : fact
}

/** Remaining budget of the run for each unfinished task. */
function budgetForEach({ limits, usage, counts }: RunState): number | null {
  if (limits.budget.usd === null) return null
  const left = counts.pending + counts.ready + counts.running
  return Math.max(0, limits.budget.usd - usage.costUsd) / Math.max(1, left)
}

/** The journal does not repeat the text of an idea with each task: it is in the plan once, or in the result of its proposer. */
function searchOrder(search: Search | undefined, { search: role }: Task, state: RunState): AttemptOrder['search'] {
  if (!search || !role || role.role === 'result') return null
  if (role.role === 'propose') return { ...role, count: search.propose?.count ?? 0 }
  const { objective, gates, score, repeats, protected: guarded } = search
  if (role.role === 'judge') {
    const parent = role.parent === null ? null : commitOf(state, role.parent)
    return { role: 'judge', eval: role.eval, objective, gates, score, repeats, protected: guarded, parent }
  }
  const proposed = search.propose ? state.tasks.flatMap(({ history }) => history.at(-1)?.result?.ideas ?? []) : []
  const idea = [...search.ideas, ...proposed].find(({ path }) => path === role.idea)
  if (!idea) throw new Error(`the search has no idea ${role.idea}`)
  return { role: 'step', eval: role.eval, idea }
}

function withIdea(prompt: string, { path, text }: Idea): string {
  return `${prompt.trimEnd()}\n\n## The idea (${path})\n\n${text.trim()}\n`
}

type OfPrompt = Pick<RunContext, 'state' | 'settings'> & { plan: Plan; planFiles: readonly string[] }

/** All facts except those of earlier attempts and lessons. `chosen`: which of the task's agents. */
export function promptFacts(
  { plan, state, settings, planFiles }: OfPrompt,
  index: number,
  chosen?: string,
): Omit<PromptFacts, 'earlier' | 'conflict' | 'expertise'> {
  const task = taskAt(state.graph, index)
  const agent = chosen ?? (task.work.kind === 'prompt' ? task.work.agent : '')
  const needs = task.needs.slice(0, LIMITS.promptNeeds).map((need): NeedFacts => {
    const { id, title, landedCommit, history } = taskView(state, indexOf(state, need))
    const { summary = null, touched = null, commit = null } = history.at(-1) ?? {}
    return { id, title, summary, touched, commit: landedCommit ?? commit }
  })
  return {
    task,
    prompt: task.work.kind === 'prompt' ? task.work.prompt : '',
    epic: plan.epics.find(({ id }) => id === task.epic)?.title ?? task.epic,
    objective: plan.objective ?? null,
    claims: settings.claims,
    landingVerify: task.land ? settings.landing.verify : [],
    needs: { listed: needs, count: task.needs.length },
    planFiles,
    mcp: settings.mcp && takesMcp(agent),
  }
}

/**
 * Facts of earlier attempts for the prompt of this one: the last failed try, and the interrupted attempt that it continues, each
 * with the end of its output. For a resolution only tries to resolve the same conflict count: it says all about the work.
 */
export async function earlierFacts(
  which: { folder: StateFolder; run: string; state: RunState; index: number; attempt: number; base: string },
  continued: Pick<AttemptView, 'attempt' | 'commit'> | null,
  secrets: readonly string[],
): Promise<Pick<PromptFacts, 'earlier' | 'interrupted'>> {
  const { folder, run, state, index, attempt, base } = which
  const { resolves } = unitState(state, state.graph.unitOf[index] as number)
  const { history } = record(state, index)
  const endOf = async (view: AttemptView | undefined): Promise<Earlier | null> => {
    if (!view?.failure) return null
    const { work } = newestIteration(attemptFolder(folder, run, taskAt(state.graph, index).id, view.attempt))
    const outputTail = keptText(await readTail(work, OUTPUT_BYTES), secrets)
    return { attempt: view.attempt, failure: view.failure, outputTail }
  }
  const failed = history.findLast(
    (view) =>
      view.attempt < attempt &&
      view.failure !== null &&
      view.countsAsTry !== false &&
      (resolves?.commit !== base || view.base === base),
  )
  const earlier = failed?.attempt === continued?.attempt ? null : await endOf(failed)
  const ended = continued && (await endOf(history.find((view) => view.attempt === continued.attempt)))
  return { earlier, interrupted: ended && { ...ended, hasWork: continued?.commit !== null } }
}

const OUTPUT_BYTES = 4_000
