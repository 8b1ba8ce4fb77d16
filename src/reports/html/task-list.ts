// The list of tasks of the HTML report: a line per task, and below it what happened in each attempt. What needs
// attention comes first. The page stays bounded: beyond the limits a task keeps its line and loses the rest.

import { keptRef, keptWork } from '../../facts/kept-refs.ts'
import type { TaskView } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { shellWord } from '../../text/shell-word.ts'
import { costText } from '../../text/usage-text.ts'
import { attemptMs, type Facts, type ReportInput, taskMs } from '../facts/run.ts'
import { count, diffWords, plural, shortCommit } from '../wording.ts'
import { html, line, tail } from './escape.ts'
import { attemptAgent, attemptTone, attemptWord, STATUS_ORDER, statusSign } from './status-look.ts'

/** Tasks with all their details: those that succeeded, and the others. */
const MAX_GOOD_DETAILS = 300
const MAX_OTHER_DETAILS = 700
const MAX_ATTEMPTS = 12
const LOG_LINES = 40
const LOG_CHARS = 4_000
/** Of all logs in the page together. */
const ALL_LOG_CHARS = 3_000_000
const TITLE_CHARS = 140
const MESSAGE_CHARS = 1_500
const MAX_LINKS = 60
/** Above this many tasks the browser lays out lines only when they are visible. */
const MANY = 400

type Room = { good: number; other: number; logChars: number; folded: number; logsLeftOut: number }

export function taskList(input: ReportInput, facts: Facts): string {
  const rank = new Map(STATUS_ORDER.map((status, index) => [status, index]))
  const known = new Set(input.view.tasks.map((task) => task.id))
  const room: Room = {
    good: MAX_GOOD_DETAILS,
    other: MAX_OTHER_DETAILS,
    logChars: ALL_LOG_CHARS,
    folded: 0,
    logsLeftOut: 0,
  }
  const rows = input.view.tasks
    .map((task, place) => ({ task, place, rank: rank.get(task.status) ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ task, place, rank }) => {
      const data = `id="t-${html(task.id)}" data-p="${place}" data-a="${rank}" data-d="${Math.round(taskMs(task, facts.endAt))}" data-n="${task.history.length}"`
      if (!hasRoom(task, room)) return `<div class="k" ${data}><div class="r">${row(task, facts)}</div></div>`
      return `<details class="k" ${data}><summary>${row(task, facts)}</summary>${details(task, input, facts, room, known)}</details>`
    })
  return `${TOOLS}${HEAD}<div class="list${rows.length > MANY ? ' many' : ''}" id="list">${rows.join('')}</div>${notes(room)}`
}

const TOOLS =
  '<div class="tools" id="tools" hidden><input id="find" type="search" placeholder="Filter: failed, an id, a word …" aria-label="Filter the tasks">' +
  '<select id="order" aria-label="Order of the tasks"><option value="attention">What needs attention first</option><option value="plan">In plan order</option>' +
  '<option value="longest">Longest first</option><option value="attempts">Most attempts first</option></select><button id="all" type="button" aria-pressed="false">Open all</button></div>'

const HEAD =
  '<div class="head" aria-hidden="true"><span>Status</span><span>Task</span><span class="nu">Time</span><span class="nu">Attempts</span><span class="nu">Changes</span><span class="nu">Commit</span></div>'

function hasRoom(task: TaskView, room: Room): boolean {
  const good = task.status === 'landed' || task.status === 'passed'
  const kind = good ? 'good' : 'other'
  const has = room[kind] > 0
  room[has ? kind : 'folded'] += has ? -1 : 1
  return has
}

function row(task: TaskView, facts: Facts): string {
  const diff = task.history.at(-1)?.diff
  const changes = diff
    ? `<span class="plus">+${count(diff.insertions)}</span> <span class="minus">−${count(diff.deletions)}</span>`
    : ''
  const time = task.history.length > 0 ? formatDuration(taskMs(task, facts.endAt)) : ''
  const attempts = task.history.length
  return (
    `<span class="st">${statusSign(task.status)}${task.status}</span>` +
    `<span class="ti"><b class="m">${html(task.id)}</b>${html(line(task.title, TITLE_CHARS))}</span>` +
    `<span class="nu du">${time}</span><span class="nu at">${attempts > 0 ? plural(attempts, 'attempt') : ''}</span>` +
    `<span class="nu di">${changes}</span><span class="nu co m">${task.landedCommit ? html(shortCommit(task.landedCommit)) : ''}</span>`
  )
}

function details(task: TaskView, input: ReportInput, facts: Facts, room: Room, known: Set<string>): string {
  const { view } = input
  const summary = task.history.findLast((attempt) => attempt.summary)?.summary
  const entries: [string, string][] = []
  if (task.title.length > TITLE_CHARS) entries.push(['Title', html(line(task.title, 400))])
  if (task.failure) entries.push(['Failure', failureText(task.failure.reason, task.failure.message)])
  const wait = Object.hasOwn(facts.waits, task.id) ? facts.waits[task.id] : undefined
  if (wait) entries.push(['Waits', html(wait.text)])
  if (task.failure?.cause) entries.push(['Cause', link(task.failure.cause, known)])
  if (task.failure?.paths?.length) entries.push(['Paths', paths(task.failure.paths)])
  const { undeclared, flagged } = task.history.at(-1) ?? {}
  if (flagged) entries.push(['Worth a look', paths(flagged.paths)])
  if (undeclared) entries.push(['Not claimed', paths(undeclared.paths)])
  if (summary) entries.push(['Summary', html(line(summary, MESSAGE_CHARS))])
  if (task.epic) entries.push(['Epic', html(line(task.epic, 80))])
  if (task.needs.length > 0) entries.push(['Needs', links(task.needs, known)])
  if (task.landedAt !== null) {
    const after = formatDuration(task.landedAt - view.startedAt)
    const commit = task.landedCommit ? ` as <span class="m">${html(task.landedCommit)}</span>` : ''
    entries.push(['Landed', `after ${after}${commit}`])
  }
  if (task.retryAt !== null) entries.push(['Next try', `after ${formatDuration(task.retryAt - view.startedAt)}`])
  const kept = (view.kind === 'search' ? [] : keptWork(task))
    .slice(-MAX_ATTEMPTS)
    .map((work) => `<code>git show ${html(shellWord(keptRef(view.run, work)))}</code>`)
  if (kept.length > 0) entries.push(['Kept work', kept.join('<br>')])
  const list = entries.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')
  return `<div class="more">${list ? `<dl>${list}</dl>` : ''}${attempts(task, input, facts)}${log(task, input, room)}</div>`
}

function attempts(task: TaskView, { view }: ReportInput, facts: Facts): string {
  if (task.history.length === 0) return '<p class="soft">It was never started.</p>'
  const shown = task.history.slice(-MAX_ATTEMPTS)
  const hasCosts = shown.some((attempt) => attempt.usage)
  const hasAgents = shown.some((attempt) => attemptAgent(attempt) !== '')
  const rows = shown.map((attempt) => {
    const own = attempt.failure && attempt.failure.message !== task.failure?.message ? attempt.failure.message : null
    const columns: [name: string, cell: string, look?: string][] = [
      ['#', String(attempt.attempt)],
      ['Started after', formatDuration(Math.max(0, attempt.startedAt - view.startedAt))],
      ['Took', formatDuration(attemptMs(attempt, facts.endAt))],
      ['Slot', String(attempt.slot)],
      ...(hasAgents ? [['Agent', line(attemptAgent(attempt), 80)] satisfies [string, string]] : []),
      ['Outcome', attemptWord(attempt), `nw ${attemptTone(attempt)}`],
      ['Changes', attempt.diff ? diffWords(attempt.diff) : ''],
      ...(hasCosts ? [['Cost', attempt.usage ? costText(attempt.usage) : ''] satisfies [string, string]] : []),
      ['Work', attempt.commit ? shortCommit(attempt.commit) : '', 'm nw'],
      ['Message', line(own ?? attempt.summary ?? '', MESSAGE_CHARS), 'said'],
    ]
    const cells = columns.map(([, text, look = 'nw']) => `<td class="${look}">${html(text)}</td>`)
    return { names: columns.map(([name]) => `<th scope="col">${name}</th>`), text: `<tr>${cells.join('')}</tr>` }
  })
  const head = `<tr>${rows[0]?.names.join('')}</tr>`
  const left = task.history.length - shown.length
  const note = left > 0 ? `<p class="note">${plural(left, 'earlier attempt')} not shown.</p>` : ''
  return `<div class="wide"><table><thead>${head}</thead><tbody>${rows.map(({ text }) => text).join('')}</tbody></table></div>${note}`
}

function log(task: TaskView, { logTails }: ReportInput, room: Room): string {
  const text = Object.hasOwn(logTails, task.id) ? logTails[task.id] : undefined
  if (!text) return ''
  const end = tail(text, LOG_LINES, Math.min(LOG_CHARS, Math.max(0, room.logChars)))
  room.logChars -= end.text.length
  if (end.text === '') {
    room.logsLeftOut += room.logChars <= 0 ? 1 : 0
    return ''
  }
  return `<h3>End of the log${end.cut ? ` <span class="soft">(the last lines)</span>` : ''}</h3><pre tabindex="0">${html(end.text)}</pre>`
}

export function failureText(reason: string, message: string): string {
  const text = message.length > MESSAGE_CHARS ? `${message.slice(0, MESSAGE_CHARS)}…` : message
  return `<span class="tag bad">${html(reason)}</span><div class="msg">${html(text).trim()}</div>`
}

export function paths(list: string[]): string {
  const shown = list.slice(0, 20).map((path) => `<code>${html(line(path, 300))}</code>`)
  return `${shown.join(' ')}${list.length > 20 ? ` and ${list.length - 20} more` : ''}`
}

export function links(ids: readonly string[], known: ReadonlySet<string>, max = MAX_LINKS): string {
  const shown = ids.slice(0, max).map((id) => link(id, known))
  return `${shown.join(', ')}${ids.length > max ? ` and ${ids.length - max} more` : ''}`
}

function link(id: string, known: ReadonlySet<string>): string {
  const name = html(line(id, 80))
  return known.has(id) ? `<a class="m" href="#t-${html(id)}">${name}</a>` : `<span class="m">${name}</span>`
}

function notes(room: Room): string {
  const folded =
    room.folded > 0
      ? `${plural(room.folded, 'task')} shown as a line only, to keep this page small; <code>espalier report --json</code> and <code>espalier logs TASK</code> have everything.`
      : ''
  const logs =
    room.logsLeftOut > 0 ? ` The logs of ${plural(room.logsLeftOut, 'task')} were left out for the same reason.` : ''
  return folded || logs ? `<p class="note">${folded}${logs}</p>` : ''
}
