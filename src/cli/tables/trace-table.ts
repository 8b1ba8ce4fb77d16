// The origin of a task or a commit, as labelled lines.

import type { SessionView } from '../../engine/query/agent-sessions.ts'
import type { TaskTrace, Trace } from '../../engine/query/origin-of-work.ts'
import { choiceText } from '../../facts/model-choices.ts'
import { formatDuration } from '../../text/duration.ts'
import { count, shortCommit } from '../../text/figures.ts'
import { because } from '../../text/telling-lines.ts'
import { usageText } from '../../text/usage-text.ts'
import type { LookNow } from '../surroundings.ts'
import { glyph } from '../terminal/glyph.ts'
import { blocks, labelled } from '../terminal/table.ts'

/** Commits shown per attempt or landing; `--json` has more. */
const SHOWN_COMMITS = 20

export function traceLines({ commit, tasks }: Trace, look: LookNow): string[] {
  const top = commit ? commitTraceLines(commit, tasks.length > 0, look) : []
  return blocks([top, ...tasks.map((task) => taskLines(task, commit, look))])
}

const PARTS: Record<NonNullable<Trace['commit']>['part'], string> = {
  landing: 'a landing',
  landed: 'came with a landing',
  work: 'left by an attempt',
  copy: 'made of a landing: its trailers tell',
}

function commitTraceLines(commit: NonNullable<Trace['commit']>, isKept: boolean, look: LookNow): string[] {
  const { part, attempt, trailers } = commit
  const by = part === 'work' && attempt !== null ? `left by attempt ${attempt}` : PARTS[part]
  const lines = [row('commit', `${commitText(commit)} (${by})`, look)]
  if (isKept || !trailers) return lines
  const named = trailers.tasks.map((one) => `${one.task} (attempt ${one.attempt})`).join(', ')
  return [
    ...lines,
    row('run', `${trailers.run}, which was removed here`, look),
    row('task', named, look),
    ...trailers.decisions.map((decision) => row('decision', decision, look)),
  ]
}

function taskLines(trace: TaskTrace, commit: Trace['commit'], look: LookNow): string[] {
  const { run, branch, objective, epic, task, title, status, decisions, attempts, landing } = trace
  const mark = (line: { commit: string }) => (line.commit === commit?.commit ? '  ← this one' : '')
  return [
    ...(objective ? [row('objective', objective, look)] : []),
    row('run', `${run}, branch ${branch}`, look),
    ...(epic ? [row('epic', named(epic.id, epic.title) + decided(epic.decisions), look)] : []),
    row('task', `${glyph(status, look.palette)} ${named(task, title)}, ${status}${decided(decisions)}`, look),
    ...attempts.flatMap((attempt) => attemptLines(attempt, mark, look)),
    ...(landing ? landingLines(landing, task, mark, look) : []),
  ]
}

function attemptLines(attempt: TaskTrace['attempts'][number], mark: Mark, look: LookNow): string[] {
  const { outcome, failure, startedAt, finishedAt, session, commits } = attempt
  const took = formatDuration(Math.max(0, (finishedAt ?? look.now) - startedAt))
  const end = outcome ? `${outcome} after ${took}` : `running for ${took}`
  return [
    row(`attempt ${attempt.attempt}`, `${end}${failure ? `, ${because(failure)}` : ''}`, look),
    ...(session?.choice ? [row('  model', choiceText(session.choice), look)] : []),
    ...(session ? [row('  session', sessionText(session), look)] : []),
    ...commitLines(commits, mark, look),
  ]
}

function landingLines(
  { commit, tasks, commits }: NonNullable<TaskTrace['landing']>,
  task: string,
  mark: Mark,
  look: LookNow,
): string[] {
  const others = tasks.filter((one) => one !== task)
  const together = others.length > 0 ? `, together with ${others.join(', ')}` : ''
  return [row('landed', `as ${shortCommit(commit)}${together}`, look), ...commitLines(commits, mark, look)]
}

type Mark = (line: { commit: string }) => string

function commitLines(commits: NonNullable<TaskTrace['landing']>['commits'], mark: Mark, look: LookNow): string[] {
  const shown = commits.slice(-SHOWN_COMMITS)
  const left = commits.length - shown.length
  return [
    ...(left > 0 ? [row('  commits', `… ${count(left, 'earlier one')}`, look)] : []),
    ...shown.map((commit) => row('  commit', `${commitText(commit)}${mark(commit)}`, look)),
  ]
}

function sessionText({ agent, model, session, turns, toolCalls, usage }: SessionView): string {
  const worked = turns + toolCalls > 0 ? [count(turns, 'turn'), count(toolCalls, 'tool call')] : []
  const who = [agent, model, session].filter((one) => one !== null).join(' ')
  return [who, ...worked, ...(usage ? [usageText(usage)] : [])].join(', ')
}

function commitText({ commit, subject, author }: { commit: string; subject: string; author: string }): string {
  return `${shortCommit(commit)} ${subject} <${author}>`
}

function named(id: string, title: string): string {
  return id === title ? id : `${id}: ${title}`
}

function decided(decisions: readonly string[]): string {
  return decisions.length > 0 ? ` (decided by ${decisions.join(', ')})` : ''
}

function row(label: string, text: string, look: LookNow): string {
  return labelled(label, 11, text, look)
}
