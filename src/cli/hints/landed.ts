// What `espalier land` says it did: never more than has landed.
import { isDropped } from '../../facts/retryable.ts'
import type { LandedRun } from '../../internal.ts'
import type { RunView, TaskView } from '../../status.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { count, short } from '../live/event-line.ts'

/** Tasks named in the message; `status` has the others. */
const NAMED = 12
/** Of the names of plan files, where a plan has many. */
const FILES_CHARS = 120

/** `since`: what other runs have landed, by task: whether that is in the branch, too, is not asked here. */
export function landedText(
  { run, into, commit, how, uncommitted }: LandedRun,
  { tasks, counts }: RunView,
  since: ReadonlyMap<string, string>,
): string {
  const missing = tasks.filter(({ status }) => status !== 'landed' && status !== 'passed')
  const what =
    missing.length === 0
      ? `all of run ${run}`
      : `the ${counts.landed} of ${count(counts.total, 'task')} of run ${run} that landed${passedText(counts.passed)}`
  const said = {
    'fast-forward': `${into} now stands at ${short(commit)}, with ${what}`,
    merge: `merged ${what} into ${into} as ${short(commit)}`,
    'up-to-date': `${into} already has ${what}`,
  }
  const [others, left] = [missing.filter(({ id }) => since.has(id)), missing.filter(({ id }) => !since.has(id))]
  const lines = [said[how]]
  if (left.length > 0) lines.push(`not in it: ${named(left, whyMissing)}`)
  if (others.length > 0) lines.push(`landed by other runs: ${named(others, ({ id }) => since.get(id) ?? '')}`)
  if (uncommitted.length > 0) {
    const files = nameList(uncommitted, FILES_CHARS)
    lines.push(`not committed yet: ${files}, where the run has written how its tasks stand`)
  }
  return lines.join('\n')
}

/** So that they are not taken for lost. */
function passedText(passed: number): string {
  return passed === 0 ? '' : ` (${passed} more passed and had nothing to land)`
}

function whyMissing(task: TaskView): string {
  return isDropped(task) ? (task.failure?.message ?? 'dropped') : task.status
}

function named(tasks: readonly TaskView[], what: (task: TaskView) => string): string {
  const names = tasks.slice(0, NAMED).map((task) => `${task.id} (${what(task)})`)
  if (tasks.length > NAMED) names.push(`… ${tasks.length - NAMED} more`)
  return names.join(', ')
}

// Title and text of the pull request for a run: its report, as far as GitHub takes it.

/** GitHub takes 65,536 characters. */
const MAX_BODY_CHARS = 60_000
const MAX_TITLE_CHARS = 200

export function pullRequestWords(
  { name, run, counts, tasks }: Pick<RunView, 'name' | 'run' | 'counts' | 'tasks'>,
  report: string,
): { title: string; body: string } {
  const landed = tasks.filter(({ status }) => status === 'landed')
  const what = landed.length === 1 ? (landed[0]?.title ?? '') : `${count(counts.landed, 'task')} of run ${run}`
  const title = safeLine(`${name}: ${what}`).slice(0, MAX_TITLE_CHARS)
  if (report.length <= MAX_BODY_CHARS) return { title, body: report }
  const cut = report.slice(0, MAX_BODY_CHARS)
  return { title, body: `${cut.slice(0, cut.lastIndexOf('\n'))}\n\n… \`espalier report ${run}\` has the rest.\n` }
}
