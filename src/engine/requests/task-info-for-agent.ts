// What an agent can find out about its own task, and about the others at work.
import { ok, type Result, refuse } from '../../problem.ts'
import { grantedTo, withGranted } from '../../scheduler/claims/asked.ts'
import type { TaskStatus } from '../../status.ts'
import type { Claims, Plan, Task } from '../../task.ts'
import { usageOf } from '../../usage.ts'
import type { AskedClaims, Note, RunSummary, TaskView } from '../../view.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'
import type { Scope } from './agent-requests.ts'

export type TaskFacts = {
  run: string
  task: string
  title: string
  epic: string | null
  prompt: string
  attempt: number
  verify: string[]
  completion: string | null
  /** Those of the plan and what was granted since. Empty: it has claimed nothing, and may write anywhere. */
  claims: Claims
  /** True: what is written outside of them makes the attempt fail. */
  claimsEnforced: boolean
  /** What it asked to write besides, and who has it where that was refused. */
  asked: AskedClaims[]
  needs: { task: string; title: string; status: TaskStatus; summary: string | null }[]
  secondsLeft: number
  budgetLeftUsd: number | null
  notes: Note[]
}

export async function readTask(scope: Scope): Promise<Result<TaskFacts>> {
  const { store, view, attempt, identity } = scope
  const { run } = identity
  const task = (await planOf(scope))?.tasks.find(({ id }) => id === identity.task)
  if (!task) return refuse(`the plan of run ${run} has no task ${identity.task}`)
  const settings = (await store.run(run))?.settings
  const timeoutMs = task.timeoutMs ?? settings?.timeoutMs ?? 0
  const claims = withGranted(task.claims, grantedTo(view.history))
  const needs = await Promise.all(task.needs.map((id) => store.task(run, id)))
  return ok({
    run,
    task: task.id,
    title: task.title,
    epic: task.epic,
    prompt: task.work.kind === 'prompt' ? task.work.prompt : task.work.command,
    attempt: attempt.attempt,
    verify: task.verify,
    completion: task.completion ?? null,
    claims,
    claimsEnforced: settings?.claims === 'enforce' && claims.write.length + claims.read.length > 0,
    asked: attempt.asked ?? [],
    needs: needs.filter((need) => need !== null).map(needFacts),
    secondsLeft: Math.max(0, Math.round((attempt.startedAt + timeoutMs - Date.now()) / 1000)),
    budgetLeftUsd: budgetLeft(task, view, await store.view(run)),
    notes: attempt.notes ?? [],
  })
}

/** Of the budget of an epic it is only known how much is used once that is worth a word. */
function budgetLeft(task: Task, { history }: TaskView, run: RunSummary | null): number | null {
  const epic = run?.budgets?.reached.find(({ scope, name }) => scope === 'epic' && name === task.epic)
  const budgets = [{ budgetUsd: task.budgetUsd, spentUsd: usageOf(history).costUsd }, run?.budgets, epic]
  const left = budgets.flatMap((one) => (typeof one?.budgetUsd === 'number' ? [one.budgetUsd - one.spentUsd] : []))
  return left.length > 0 ? Math.max(0, Math.min(...left)) : null
}

function needFacts({ id, title, status, history }: TaskView): TaskFacts['needs'][number] {
  return { task: id, title, status, summary: history.at(-1)?.summary ?? null }
}

export type RunningFacts = {
  task: string
  title: string
  /** Null: a shell command does it. */
  agent: string | null
  since: string
  claims: Claims
  isYou: boolean
}

export async function listRunning(scope: Scope): Promise<Result<RunningFacts[]>> {
  const { store, identity } = scope
  const running = await store.tasks(identity.run, 'running')
  const tasks = (await planOf(scope))?.tasks.filter(({ id }) => running.has(id)) ?? []
  return ok(tasks.map((task) => runningFacts(task, running.get(task.id) as TaskView, identity)))
}

function runningFacts(task: Task, { history }: TaskView, identity: AttemptIdentity): RunningFacts {
  const last = history.at(-1)
  return {
    task: task.id,
    title: task.title,
    agent: last?.agent ?? (task.work.kind === 'prompt' ? task.work.agent : null),
    since: new Date(last?.startedAt ?? 0).toISOString(),
    claims: withGranted(task.claims, grantedTo(history)),
    isYou: task.id === identity.task,
  }
}

async function planOf({ store, identity }: Scope): Promise<Plan | null> {
  return (await store.run(identity.run))?.currentPlan ?? null
}
