// Facts for an agent about its own task, and about the other running tasks.
import { ok, type Result, refuse } from '../../problem.ts'
import { grantedTo, withGranted } from '../../scheduler/claims/asked.ts'
import type { Store } from '../../store/store.ts'
import type { Plan, Task } from '../../task.ts'
import { usageOf } from '../../usage.ts'
import type { AttemptView, RunSummary, TaskView } from '../../view.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'

/** The live attempt of an agent, on a machine with the store. */
export type LiveAttempt = {
  identity: AttemptIdentity
  store: Store
  folder: StateFolder
  view: TaskView
  attempt: AttemptView
}

export type TaskFacts = Awaited<ReturnType<typeof taskFacts>>

export async function readTask(live: LiveAttempt): Promise<Result<TaskFacts>> {
  const { run, task: id } = live.identity
  const task = (await planOf(live))?.tasks.find((one) => one.id === id)
  return task ? ok(await taskFacts(live, task)) : refuse(`the plan of run ${run} has no task ${id}`)
}

async function taskFacts({ store, view, attempt, identity: { run } }: LiveAttempt, task: Task) {
  const settings = (await store.run(run))?.settings
  const timeoutMs = task.timeoutMs ?? settings?.timeoutMs ?? 0
  const claims = withGranted(task.claims, grantedTo(view.history))
  const needs = await Promise.all(task.needs.map((need) => store.task(run, need)))
  return {
    run,
    task: task.id,
    title: task.title,
    epic: task.epic,
    prompt: task.work.kind === 'prompt' ? task.work.prompt : task.work.command,
    attempt: attempt.attempt,
    verify: task.verify,
    completion: task.completion ?? null,
    /** Claims of the plan and those granted since. Empty: it has claimed nothing, and may write anywhere. */
    claims,
    /** True: changes outside of them fail the attempt. */
    claimsEnforced: settings?.claims === 'enforce' && claims.write.length + claims.read.length > 0,
    /** Paths it asked for besides, with the holder of refused ones. */
    asked: attempt.asked ?? [],
    needs: needs.filter((need) => need !== null).map(needFacts),
    secondsLeft: Math.max(0, Math.round((attempt.startedAt + timeoutMs - Date.now()) / 1000)),
    budgetLeftUsd: budgetLeft(task, view, await store.view(run)),
    notes: attempt.notes ?? [],
  }
}

/** Remaining budget of task, epic or run, the smallest. An epic counts only once a share worth mentioning is used. */
function budgetLeft(task: Task, { history }: TaskView, run: RunSummary | null): number | null {
  const epic = run?.budgets?.reached.find(({ scope, name }) => scope === 'epic' && name === task.epic)
  const budgets = [{ budgetUsd: task.budgetUsd, spentUsd: usageOf(history).costUsd }, run?.budgets, epic]
  const left = budgets.flatMap((one) => (typeof one?.budgetUsd === 'number' ? [one.budgetUsd - one.spentUsd] : []))
  return left.length > 0 ? Math.max(0, Math.min(...left)) : null
}

function needFacts({ id, title, status, history }: TaskView) {
  return { task: id, title, status, summary: history.at(-1)?.summary ?? null }
}

export type RunningFacts = ReturnType<typeof runningFacts>

export async function listRunning(live: LiveAttempt): Promise<Result<RunningFacts[]>> {
  const { store, identity } = live
  const running = await store.tasks(identity.run, 'running')
  const tasks = (await planOf(live))?.tasks.filter(({ id }) => running.has(id)) ?? []
  return ok(tasks.map((task) => runningFacts(task, running.get(task.id) as TaskView, identity)))
}

function runningFacts(task: Task, { history }: TaskView, identity: AttemptIdentity) {
  const last = history.at(-1)
  return {
    task: task.id,
    title: task.title,
    /** Null: a shell command. */
    agent: last?.agent ?? (task.work.kind === 'prompt' ? task.work.agent : null),
    since: new Date(last?.startedAt ?? 0).toISOString(),
    claims: withGranted(task.claims, grantedTo(history)),
    isYou: task.id === identity.task,
  }
}

async function planOf({ store, identity }: LiveAttempt): Promise<Plan | null> {
  return (await store.run(identity.run))?.currentPlan ?? null
}
