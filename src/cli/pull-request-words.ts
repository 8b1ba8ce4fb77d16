// Title and text of the pull request for a run: its report, as far as GitHub takes it.
import type { RunView } from '../status.ts'
import { oneLine } from '../text/width.ts'
import { count } from './event-line.ts'

/** GitHub takes 65,536 characters. */
const MAX_BODY_CHARS = 60_000
const MAX_TITLE_CHARS = 200

export function pullRequestWords(
  { name, run, counts, tasks }: Pick<RunView, 'name' | 'run' | 'counts' | 'tasks'>,
  report: string,
): { title: string; body: string } {
  const landed = tasks.filter(({ status }) => status === 'landed')
  const what = landed.length === 1 ? (landed[0]?.title ?? '') : `${count(counts.landed, 'task')} of run ${run}`
  const title = oneLine(`${name}: ${what}`).slice(0, MAX_TITLE_CHARS)
  if (report.length <= MAX_BODY_CHARS) return { title, body: report }
  const cut = report.slice(0, MAX_BODY_CHARS)
  return { title, body: `${cut.slice(0, cut.lastIndexOf('\n'))}\n\n… \`espalier report ${run}\` has the rest.\n` }
}
