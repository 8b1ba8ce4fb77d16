// The message of `espalier land`.
import type { LandedRun } from '../../engine/deliver/land-run.ts'
import { isDropped } from '../../facts/next-steps.ts'
import { shortCommit } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import type { RunView, TaskView } from '../../view.ts'

/** Tasks named in the message; `status` has the others. */
const NAMED = 12
const FILES_CHARS = 120

/** `Landed 12/15 tasks of run shop-1 on main (1f3c9ab2)`. `since`: runs that landed other tasks since, by task. */
export function landedText(
  { run, into, commit, how, uncommitted }: LandedRun,
  { tasks, counts, kind }: RunView,
  since: ReadonlyMap<string, string>,
): string {
  if (kind === 'search') {
    const what = `the best of search ${run}`
    return how === 'up-to-date' ? `${into} already has ${what}` : `Landed ${what} on ${into} (${shortCommit(commit)})`
  }
  const missing = tasks.filter(({ status }) => status !== 'landed' && status !== 'passed')
  const [others, left] = [missing.filter(({ id }) => since.has(id)), missing.filter(({ id }) => !since.has(id))]
  const what = `${counts.landed}/${counts.total} tasks of run ${run}`
  const merged = how === 'merge' ? ', by a merge' : ''
  const done =
    how === 'up-to-date' ? `${into} already has ${what}` : `Landed ${what} on ${into} (${shortCommit(commit)})${merged}`
  const lines = [
    counts.passed === 0 ? done : `${done}; ${counts.passed} passed without landing anything`,
    ...(left.length > 0 ? [`Not landed: ${named(left, whyMissing)}`] : []),
    ...(others.length > 0 ? [`Landed by other runs: ${named(others, ({ id }) => since.get(id) ?? '')}`] : []),
  ]
  if (uncommitted.length > 0) lines.push(`Not committed: task statuses in ${nameList(uncommitted, FILES_CHARS)}`)
  return lines.join('\n')
}

function whyMissing(task: TaskView): string {
  return isDropped(task) ? (task.failure?.message ?? 'dropped') : task.status
}

function named(tasks: readonly TaskView[], what: (task: TaskView) => string): string {
  const names = tasks.slice(0, NAMED).map((task) => `${task.id} (${what(task)})`)
  if (tasks.length > NAMED) names.push(`… ${tasks.length - NAMED} more`)
  return names.join(', ')
}
