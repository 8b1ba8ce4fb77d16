// Next steps of a person, by the view of a run: for the command line and reports. Most urgent first.
import { isToldInLog } from '../failure.ts'
import { isBad, type TaskStatus } from '../status.ts'
import { nameList } from '../text/name-list.ts'
import { shellWord } from '../text/shell-word.ts'
import { money } from '../text/usage-text.ts'
import type { RunSummary, RunView, TaskView } from '../view.ts'
import { keptRef, lastKeptWork } from './kept-refs.ts'

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
  const isWaiting = !engine && view.status === 'waiting'
  const steps: NextStep[] = []
  const add = (kind: Kind, command: string, what: string) =>
    steps.push({ kind, command: `espalier ${command}${flags}`, what })
  if (engine) add('watch', `status ${run} --watch`, 'watch it')
  if (isStopped) add('resume', `resume ${run}`, 'continue where it stopped')
  if (isWaiting && view.paused?.some(({ needsLogin }) => needsLogin))
    add('resume', `resume ${run}`, 'continue, once you have logged in')
  if (isWaiting && view.unplaced?.length)
    add('resume', `resume ${run}`, 'continue, once a worker has what its tasks ask for')
  if (isWaiting) addBudgetSteps(view, run, add)
  for (const { id } of named(view, 'conflict'))
    add('resolve', `resolve ${shellWord(id)} --run ${run}`, `resolve ${id}'s conflict in a worktree`)
  // A failed candidate of a search needs nobody.
  const isSearch = view.kind === 'search'
  for (const { id, failure } of isSearch ? [] : named(view, 'failed', ({ failure }) => isToldInLog(failure)))
    add('log', `logs ${shellWord(id)} --run ${run}`, `log of ${id}${failure ? ` (${failure.reason})` : ''}`)
  steps.push(...workSteps(view, 'failed', 'which did not land', flags))
  for (const id of keptWorktrees.slice(0, TASKS_NAMED))
    add('open', `open ${shellWord(id)} --run ${run}`, `worktree of ${id} as it failed`)
  const again = mayRetry(view) && !isSearch ? retryable(view, landedSince) : []
  const blamed = again.filter(({ status }) => status !== 'blocked').map(({ id }) => id)
  if (again.length > 0)
    add('retry', `retry --run ${run}`, `retry ${nameList(blamed.length > 0 ? blamed : ['the rest'], 40)}`)
  steps.push(...workSteps(view, 'passed', 'kept without landing (land: false)', flags))
  if (unwritten?.files.length && !resumable && !engine) steps.push(stepToWriteStatus(view.run, flags))
  if (hasResult(view) && !engine && !isStopped && landedOn === null)
    add('land', `land ${run}`, `bring ${view.branch} (${view.head.slice(0, 8)}) onto your branch`)
  if (isSearch) add('search', `search show ${run}`, 'every idea with its score; --html: as a page')
  else if (!engine) add('report', `report ${run} --html`, 'full HTML report')
  return steps
}

/** It is over, or waits for conflicts alone: money, a login or a worker would be missing for what is retried, too. */
function mayRetry({ engine, resumable, status, counts, budgets, paused, unplaced }: View): boolean {
  if (engine || !resumable) return !engine
  const lacksMore = budgets?.holding.length || unplaced?.length || paused?.some(({ needsLogin }) => needsLogin)
  return status === 'waiting' && counts.conflict > 0 && !lacksMore
}

/** It has something left to do, but was stopped or its engine died. */
export function isInterrupted(view: Pick<RunView, 'engine' | 'resumable' | 'status'>): boolean {
  return view.resumable && view.engine === null && view.status !== 'waiting'
}

/** The first of the steps that continues the run; null where none does, or an engine works on it. */
export function stepToContinue(steps: readonly NextStep[]): NextStep | null {
  return steps.find(({ kind }) => CONTINUING.has(kind)) ?? null
}

/** The next step of a run that is over and whose plan file lacks statuses. */
export function stepToWriteStatus(run: string, flags = ''): NextStep {
  const what = 'write the task statuses into the plan file, once it is writable'
  return { kind: 'write-status', command: `espalier resume ${shellWord(run)}${flags}`, what }
}

const CONTINUING: ReadonlySet<Kind> = new Set(['resume', 'raise-budget', 'replan', 'resolve', 'retry'])

/** A run that waits for a larger budget would stop again at once without one. */
function addBudgetSteps(
  { budgets }: View,
  run: string,
  add: (kind: Kind, command: string, what: string) => void,
): void {
  const holding = budgets?.holding ?? []
  const ofRun = holding.find(({ scope }) => scope === 'run')
  const others = holding.filter(({ scope }) => scope !== 'run').slice(0, TASKS_NAMED)
  if (ofRun) {
    const what = `continue with a budget of N dollars in total; ${money(ofRun.spentUsd)} spent so far`
    add('raise-budget', `resume ${run} --budget-usd N`, what)
  }
  const names = others.map(({ scope, name }) => `${scope} ${name}`).join(', ')
  if (names !== '') add('replan', `resume ${run} --replan`, `continue after raising budgetUsd of ${names} in the plan`)
}

function workSteps(view: View, status: TaskStatus, which: string, flags: string): NextStep[] {
  // Nodes of a search are kept by their own names; nothing of a suite lands.
  if (view.kind === 'search' || view.kind === 'suite') return []
  const git = flags.includes(' --repo ') ? `git -C ${shellWord(view.repo)}` : 'git'
  const works = named(view, status, (task) => lastKeptWork(task) !== null).flatMap((task) => lastKeptWork(task) ?? [])
  return works.map((work) => {
    const command = `${git} show ${shellWord(keptRef(view.run, work))}`
    return { kind: 'work', command, what: `work of ${work.task}, ${which}` }
  })
}

type Task = View['tasks'][number]

function named({ tasks }: View, status: TaskStatus, isMeant: (task: Task) => boolean = () => true): Task[] {
  return tasks.filter((task) => task.status === status && isMeant(task)).slice(0, TASKS_NAMED)
}

/** Whether there is something to land. The branch of a search moves to the best node, and no task of it lands. */
export function hasResult({
  kind,
  counts,
  base,
  head,
}: Pick<RunSummary, 'kind' | 'counts' | 'base' | 'head'>): boolean {
  return kind === 'search' ? head !== base : counts.landed > 0
}

/** Tasks that `espalier retry` would try again. `since`: tasks that other runs have landed; tasks that need those are left out, too. */
function retryable({ tasks }: Pick<RunView, 'tasks'>, since: ReadonlyMap<string, string>): TaskView[] {
  const bad = tasks.filter(({ status }) => isBad(status))
  const left = new Set(bad.filter((task) => isDropped(task) || since.has(task.id)).map(({ id }) => id))
  if (left.size === 0) return bad
  const dependents = Map.groupBy(
    bad.flatMap(({ id, needs }) => needs.map((need) => ({ id, need }))),
    ({ need }) => need,
  )
  // A set also iterates over members that are added meanwhile.
  for (const need of left) for (const { id } of dependents.get(need) ?? []) left.add(id)
  return bad.filter(({ id }) => !left.has(id))
}

/** Dropped from the plan, or landed by another run. */
export function isDropped({ status, failure }: TaskView): boolean {
  return status === 'cancelled' && failure?.reason === 'dropped'
}
