// Did it work, and what should the reader type next?

import { type KeptRef, lastKeptRef } from '../../facts/kept-refs.ts'
import { retryable } from '../../facts/retryable.ts'
import { isToldInLog } from '../../failure.ts'
import type { RunView, TaskView } from '../../status.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { FailureFacts } from './failures.ts'

export type Verdict = {
  kind: 'landed' | 'partly' | 'nothing' | 'running' | 'waiting' | 'interrupted' | 'cancelled' | 'empty'
  title: string
  detail: string
}

export type Step = { command: string; why: string }

/** Commands shown for single tasks; the rest is in the task list. */
const MAX_LOG_STEPS = 5
const MAX_WORK_STEPS = 5

/** `landedOn`: the branch of the user's that has all that landed; null while none is known to. */
export function verdictOf(view: RunView, landedOn: string | null): Verdict {
  const { counts, branch } = view
  const done = counts.landed + counts.passed
  const of = `${done} of ${counts.total}`
  const rest = [
    counted(counts.conflict, 'in conflict'),
    counted(counts.failed, 'failed'),
    counted(counts.blocked, 'blocked'),
    counted(counts.cancelled, 'cancelled'),
    counted(counts.running + counts.landing, 'in progress'),
    counted(counts.ready + counts.pending, 'waiting'),
  ].filter((text) => text !== '')
  const detail = [
    counted(counts.landed, `landed on ${branch}${landedOn === null ? '' : ` and on ${landedOn}`}`),
    counted(counts.passed, 'passed with nothing to land'),
    ...rest,
  ]
    .filter((text) => text !== '')
    .join(', ')
  if (counts.total === 0) return { kind: 'empty', title: 'Nothing to do', detail: 'The plan has no tasks.' }
  if (view.status === 'running' && view.engine) return { kind: 'running', title: `Running: ${of} done`, detail }
  if (view.status === 'waiting') return { kind: 'waiting', title: `Waiting for you: ${of} done`, detail }
  if (view.resumable || view.status === 'running')
    return { kind: 'interrupted', title: `Interrupted: ${of} done`, detail }
  if (view.status === 'cancelled') return { kind: 'cancelled', title: `Cancelled: ${of} done`, detail }
  if (done === counts.total) {
    if (counts.landed === 0) return { kind: 'landed', title: 'Everything passed', detail }
    return { kind: 'landed', title: 'Everything landed', detail }
  }
  if (done === 0) return { kind: 'nothing', title: 'Nothing landed', detail }
  return { kind: 'partly', title: `${of} tasks ${counts.passed > 0 ? 'succeeded' : 'landed'}`, detail }
}

/** `landedSince`: what did not succeed and another run has landed since, by task. */
export function nextSteps(
  view: RunView,
  failures: FailureFacts[],
  landedOn: string | null,
  landedSince: ReadonlyMap<string, string>,
): Step[] {
  const steps: Step[] = []
  const run = shellWord(view.run)
  const active = view.status === 'running' && view.engine !== null
  if (active) steps.push({ command: `espalier status ${run} --watch`, why: 'watch it work' })
  for (const { id } of view.tasks.filter(({ status }) => status === 'conflict').slice(0, MAX_LOG_STEPS))
    steps.push({ command: `espalier resolve ${shellWord(id)} --run ${run}`, why: `resolve the conflict of ${id}` })
  steps.push(...budgetSteps(view, run))
  for (const { task, failure } of failures.filter(({ failure }) => isToldInLog(failure)).slice(0, MAX_LOG_STEPS)) {
    const why = failure ? `see why ${task} ended with ${failure.reason}` : `see what ${task} did`
    steps.push({ command: `espalier logs ${shellWord(task)} --run ${run}`, why })
  }
  const failed = new Set(failures.map(({ task }) => task))
  const works = [
    ...view.tasks.filter(({ id }) => failed.has(id)),
    ...view.tasks.filter(({ status }) => status === 'passed'),
  ]
  for (const { task, kept } of keptWorks(view.run, works).slice(0, MAX_WORK_STEPS)) {
    const why = kept.kind === 'failed' ? `see the work ${task} left` : `see the work of ${task}, which does not land`
    steps.push({ command: `git show ${kept.ref}`, why })
  }
  if (!view.resumable && !active && retryable(view, landedSince).length > 0)
    steps.push({ command: `espalier retry --run ${run}`, why: 'try again what did not succeed' })
  if (view.resumable && view.status !== 'waiting' && !active) {
    steps.push({ command: `espalier resume ${run}`, why: 'go on where it stopped; what is done is not done again' })
  }
  if (view.unwritten?.files.length && !view.resumable && !active) {
    const why = 'write how the tasks stand into the plan file, once that can be written'
    steps.push({ command: `espalier resume ${run}`, why })
  }
  if (view.counts.landed > 0) {
    const range = `${shellWord(view.base.slice(0, 12))}..${shellWord(view.branch)}`
    steps.push({ command: `git log --oneline ${range}`, why: 'read what landed' })
  }
  if (view.counts.landed > 0 && !active && landedOn === null) {
    const all = view.counts.landed + view.counts.passed === view.counts.total
    const why = all ? 'bring it onto your branch' : 'bring what landed onto your branch'
    steps.push({ command: `espalier land ${run}`, why })
  }
  return steps
}

/** It waits for a larger budget. */
function budgetSteps({ status, budgets }: RunView, run: string): Step[] {
  const holding = status === 'waiting' ? (budgets?.holding ?? []) : []
  const ofRun = holding.some(({ scope }) => scope === 'run')
  const others = holding.filter(({ scope }) => scope !== 'run').map(({ scope, name }) => `${scope} ${name}`)
  const why = `go on, once the plan has a larger budgetUsd for ${others.slice(0, MAX_LOG_STEPS).join(', ')}`
  return [
    ...(ofRun ? [{ command: `espalier resume ${run} --budget-usd N`, why: 'go on with more money' }] : []),
    ...(others.length > 0 ? [{ command: `espalier resume ${run} --replan`, why }] : []),
  ]
}

function keptWorks(run: string, tasks: TaskView[]): { task: string; kept: KeptRef }[] {
  return tasks.flatMap((task) => {
    const kept = lastKeptRef(run, task)
    return kept ? [{ task: task.id, kept }] : []
  })
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}`
}
