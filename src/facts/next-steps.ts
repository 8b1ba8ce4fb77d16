// What to type next, by the view of a run: for the command line and reports. Most urgent first.
import { isToldInLog } from '../failure.ts'
import type { TaskStatus } from '../status.ts'
import { nameList } from '../text/name-list.ts'
import { shellWord } from '../text/shell-word.ts'
import { money } from '../text/usage-text.ts'
import type { RunView } from '../view.ts'
import { hasResult } from './has-result.ts'
import { keptRef, lastKeptWork } from './kept-refs.ts'
import { retryable } from './retryable.ts'

type Kind =
  | 'watch'
  | 'resume'
  | 'raise-budget'
  | 'replan'
  | 'resolve'
  | 'log'
  | 'work'
  | 'open'
  | 'retry'
  | 'write-status'
  | 'land'
  | 'search'
  | 'report'

export type NextStep = {
  kind: Kind
  /** A word in capitals is for a person to fill in. */
  command: string
  what: string
}

type View = Omit<RunView, 'durationMs'>

type Known = {
  /** The user's branch that has everything that landed; null where none is known to. */
  landedOn?: string | null
  /** Tasks that did not succeed here and that another run has landed since, with that run. */
  landedSince?: ReadonlyMap<string, string>
  /** Failed entries of a suite whose worktrees were kept. */
  keptWorktrees?: readonly string[]
  /** The flags that make each command mean this repository, with a leading space, such as ` --repo ../shop`. */
  flags?: string
}

/** Tasks named for each kind of step; the task list of `status` and of reports has the others. */
const TASKS_NAMED = 3

export function nextSteps(view: View, known: Known = {}): NextStep[] {
  const { landedOn = null, landedSince = new Map(), keptWorktrees = [], flags = '' } = known
  const { engine, resumable, unwritten } = view
  const run = shellWord(view.run)
  const isStopped = isInterrupted(view)
  const step = (kind: Kind, command: string, what: string): NextStep => {
    return { kind, command: `espalier ${command}${flags}`, what }
  }
  const steps: NextStep[] = []
  if (engine) steps.push(step('watch', `status ${run} --watch`, 'watch it'))
  if (isStopped) steps.push(step('resume', `resume ${run}`, 'continue where it stopped'))
  if (!engine && view.status === 'waiting' && view.paused?.some(({ needsLogin }) => needsLogin))
    steps.push(step('resume', `resume ${run}`, 'continue, once you have logged in'))
  if (!engine && view.status === 'waiting' && view.unplaced?.length)
    steps.push(step('resume', `resume ${run}`, 'continue, once a worker has what its tasks ask for'))
  if (!engine) steps.push(...budgetSteps({ ...view, run }, step))
  for (const { id } of named(view, 'conflict'))
    steps.push(step('resolve', `resolve ${shellWord(id)} --run ${run}`, `resolve ${id}'s conflict in a worktree`))
  // What failed in a search has been decided about.
  const isSearch = view.kind === 'search'
  for (const { id, failure } of isSearch ? [] : named(view, 'failed', ({ failure }) => isToldInLog(failure)))
    steps.push(
      step('log', `logs ${shellWord(id)} --run ${run}`, `log of ${id}${failure ? ` (${failure.reason})` : ''}`),
    )
  steps.push(...workSteps(view, 'failed', 'which did not land', flags))
  for (const id of keptWorktrees.slice(0, TASKS_NAMED))
    steps.push(step('open', `open ${shellWord(id)} --run ${run}`, `worktree of ${id} as it failed`))
  const again = mayRetry(view) && !isSearch ? retryable(view, landedSince) : []
  const blamed = again.filter(({ status }) => status !== 'blocked').map(({ id }) => id)
  if (again.length > 0)
    steps.push(step('retry', `retry --run ${run}`, `retry ${nameList(blamed.length > 0 ? blamed : ['the rest'], 40)}`))
  steps.push(...workSteps(view, 'passed', 'kept without landing (land: false)', flags))
  if (unwritten?.files.length && !resumable && !engine) steps.push(stepToWriteStatus(view.run, flags))
  if (hasResult(view) && !engine && !isStopped && landedOn === null)
    steps.push(step('land', `land ${run}`, `bring ${view.branch} (${view.head.slice(0, 8)}) onto your branch`))
  if (isSearch) steps.push(step('search', `search show ${run}`, 'every idea with its score; --html: as a page'))
  else if (!engine) steps.push(step('report', `report ${run} --html`, 'full HTML report'))
  return steps
}

/** It is over, or waits for conflicts alone: money, a login or a worker would be missing for what is retried, too. */
function mayRetry({ engine, resumable, status, counts, budgets, paused, unplaced }: View): boolean {
  if (engine || !resumable) return !engine
  const lacksMore = budgets?.holding.length || unplaced?.length || paused?.some(({ needsLogin }) => needsLogin)
  return status === 'waiting' && counts.conflict > 0 && !lacksMore
}

/** No engine works on it, and it has something left to do: it was stopped, or its engine died. */
export function isInterrupted(view: Pick<RunView, 'engine' | 'resumable' | 'status'>): boolean {
  return view.resumable && view.engine === null && view.status !== 'waiting'
}

/** The first of the steps that continues the run; null where none does, or an engine works on it. */
export function stepToContinue(steps: readonly NextStep[]): NextStep | null {
  return steps.find(({ kind }) => CONTINUING.has(kind)) ?? null
}

/** Of a run that is over. */
export function stepToWriteStatus(run: string, flags = ''): NextStep {
  const what = 'write the task statuses into the plan file, once it is writable'
  return { kind: 'write-status', command: `espalier resume ${shellWord(run)}${flags}`, what }
}

const CONTINUING: ReadonlySet<Kind> = new Set(['resume', 'raise-budget', 'replan', 'resolve', 'retry'])

type MakeStep = (kind: Kind, command: string, what: string) => NextStep

/** A run that waits for a larger budget would stop again at once without one. */
function budgetSteps({ run, status, budgets }: View, step: MakeStep): NextStep[] {
  const holding = status === 'waiting' ? (budgets?.holding ?? []) : []
  const ofRun = holding.find(({ scope }) => scope === 'run')
  const others = holding.filter(({ scope }) => scope !== 'run').slice(0, TASKS_NAMED)
  const steps: NextStep[] = []
  if (ofRun) {
    const what = `continue with a budget of N dollars in total; ${money(ofRun.spentUsd)} spent so far`
    steps.push(step('raise-budget', `resume ${run} --budget-usd N`, what))
  }
  if (others.length > 0) {
    const names = others.map(({ scope, name }) => `${scope} ${name}`).join(', ')
    steps.push(step('replan', `resume ${run} --replan`, `continue after raising budgetUsd of ${names} in the plan`))
  }
  return steps
}

function workSteps(view: View, status: TaskStatus, which: string, flags: string): NextStep[] {
  const git = flags.includes(' --repo ') ? `git -C ${shellWord(view.repo)}` : 'git'
  // Of a search the nodes are kept by their own names; of a suite nothing lands.
  if (view.kind === 'search' || view.kind === 'suite') return []
  return named(view, status, (task) => lastKeptWork(task) !== null).flatMap((task) => {
    const work = lastKeptWork(task)
    if (!work) return []
    return [
      {
        kind: 'work',
        command: `${git} show ${shellWord(keptRef(view.run, work))}`,
        what: `work of ${task.id}, ${which}`,
      },
    ]
  })
}

type Task = View['tasks'][number]

function named({ tasks }: View, status: TaskStatus, isMeant: (task: Task) => boolean = () => true): Task[] {
  return tasks.filter((task) => task.status === status && isMeant(task)).slice(0, TASKS_NAMED)
}
