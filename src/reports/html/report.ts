// The HTML report: one file that loads nothing (page.ts).
import { messageParts } from '../../failure.ts'
import type { RunView } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { tellingLine } from '../../text/telling-lines.ts'
import { type GraphTask, graphSvg } from '../drawings/graph-svg.ts'
import { timeline } from '../drawings/timeline.ts'
import { failureLog } from '../facts/log-tails.ts'
import { type Facts, factsOf, type ReportInput, taskMs } from '../facts/run.ts'
import type { Verdict } from '../facts/verdict.ts'
import { notesInHtml } from '../sections/notes.ts'
import { nextSection, sectionsAbove, sectionsBelow } from '../sections/order.ts'
import { type Section, sectionInHtml } from '../sections/section.ts'
import { clock, iso, keyFigures, plural } from '../wording.ts'
import { html, line } from './escape.ts'
import { figureList, page } from './page.ts'
import { attemptTone, STATUS_ORDER, STATUS_TONE, statusSign, type Tone } from './status-look.ts'
import { failureText, links, paths, taskList } from './task-list.ts'

/** Failures shown in full at the top; the others are in the list of tasks. */
const MAX_FAILURES = 20
const OBJECTIVE_CHARS = 500
/** Those of them that show the end of their log there. */
const MAX_FAILURE_LOGS = 3
const LOG_LINES = 12
const LOG_CHARS = 1_500

export function renderHtml(input: ReportInput): string {
  const { view } = input
  const facts = factsOf(input)
  const name = html(line(view.name || view.run, 120))
  const known = new Set(view.tasks.map((task) => task.id))
  const section = (one: Section | null) => sectionInHtml(one, known)
  return page(`${html(facts.verdict.title)} · ${name}`, [
    header(input, facts, name),
    '<main>',
    section(nextSection(facts)),
    failureSection(input, facts),
    ...sectionsAbove(view, facts).map(section),
    view.tasks.length > 0 ? bodySections(input, facts) : '',
    ...sectionsBelow(facts).map(section),
    notesInHtml(facts, known),
    `</main>${footer(input)}`,
  ])
}

const VERDICT_LOOK: Record<Verdict['kind'], { tone: Tone; sign: string }> = {
  landed: { tone: 'good', sign: 'landed' },
  partly: { tone: 'bad', sign: 'failed' },
  nothing: { tone: 'bad', sign: 'failed' },
  running: { tone: 'live', sign: 'running' },
  waiting: { tone: 'warn', sign: 'conflict' },
  interrupted: { tone: 'warn', sign: 'cancelled' },
  cancelled: { tone: 'mute', sign: 'cancelled' },
  empty: { tone: 'mute', sign: 'pending' },
}

function header({ view }: ReportInput, facts: Facts, name: string): string {
  const { tone, sign } = VERDICT_LOOK[facts.verdict.kind]
  const words = facts.purpose.objective
  const objective = words === null ? '' : `<p class="soft">Objective: ${html(line(words, OBJECTIVE_CHARS))}</p>`
  const until = view.finishedAt === null ? '' : ` to ${time(view.finishedAt)}`
  return [
    `<header class="${tone}"><div class="in">`,
    `<div class="crumb"><b><bdi>${name}</bdi></b><span>run <span class="m">${html(line(view.run, 80))}</span></span><span>${time(view.startedAt)}${until}</span></div>`,
    `<div class="verdict"><svg class="${tone}" viewBox="0 0 16 16" aria-hidden="true"><use href="#g-${sign}"/></svg>`,
    `<div><h1>${html(facts.verdict.title)}</h1><p>${html(facts.verdict.detail)}</p>${objective}</div></div>`,
    shares(view),
    `${figureList(keyFigures(view, facts))}</div></header>`,
  ].join('')
}

function shares({ counts }: RunView): string {
  if (counts.total === 0) return ''
  const present = STATUS_ORDER.toReversed().filter((status) => counts[status] > 0)
  const bar = present.map((status) => `<i class="${STATUS_TONE[status]} ${status}" style="flex:${counts[status]}"></i>`)
  const legend = present.map(
    (status) => `<li>${statusSign(status)}<span><b>${counts[status]}</b> ${status}</span></li>`,
  )
  return `<div class="share" aria-hidden="true">${bar.join('')}</div><ul class="legend">${legend.join('')}</ul>`
}

function failureSection({ view, logTails }: ReportInput, { failures }: Facts): string {
  if (failures.length === 0) return ''
  const status = new Map(view.tasks.map((task) => [task.id, task.status]))
  const known = new Set(status.keys())
  const items = failures.slice(0, MAX_FAILURES).map(({ task, title, failure, attempts, blocks }, index) => {
    const now = status.get(task) ?? 'failed'
    const tried = attempts === 0 ? 'never started' : `after ${plural(attempts, 'attempt')}`
    const heading = `<h3>${statusSign(now)}<a class="m" href="#t-${html(task)}">${html(task)}</a><bdi>${html(line(title, 160))}</bdi><span class="soft">${now} ${tried}</span></h3>`
    const told = failure ? tellingLine(messageParts(failure.message).output) : null
    const reason = `${told ? `<p class="msg"><b>${html(line(told, 400))}</b></p>` : ''}${failure ? failureText(failure.reason, failure.message) : ''}`
    const where = failure?.paths?.length ? `<p class="paths">${paths(failure.paths)}</p>` : ''
    const blocked = blocks.length > 0 ? `<p class="paths">Blocked: ${links(blocks, known, 20)}</p>` : ''
    const text = index < MAX_FAILURE_LOGS && Object.hasOwn(logTails, task) ? logTails[task] : ''
    const log = failureLog(failure, text, LOG_LINES, LOG_CHARS)
    const end = log ? `<pre tabindex="0">${html(log)}</pre>` : ''
    return `<div class="fail">${heading}${reason}${where}${blocked}${end}</div>`
  })
  const left = failures.length - items.length
  const note = left > 0 ? `<p class="note">${plural(left, 'more failure')} in the list of tasks.</p>` : ''
  return `<section><h2>What went wrong</h2>${items.join('')}${note}</section>`
}

function bodySections(input: ReportInput, facts: Facts): string {
  const { view } = input
  const tones: [Tone, string][] = [
    ['good', 'changed'],
    ['calm', 'no change'],
    ['warn', 'not landed / rate-limited'],
    ['bad', 'failed, crashed, timed out'],
    ['mute', 'cancelled'],
    ['live', 'running'],
  ]
  const present = new Set(view.tasks.flatMap((task) => task.history.map(attemptTone)))
  const legend = tones
    .filter(([tone]) => present.has(tone))
    .map(([tone, words]) => `<li>${swatch(tone)}<span>${words}</span></li>`)
  const chain = { tasks: facts.measured.criticalPath.tasks, words: 'the chain that took longest' }
  return [
    `<section><h2>Workers</h2><p class="soft">One row per slot, one bar per attempt; green ticks below are landings.</p>${timeline(view, facts)}<ul class="legend">${legend.join('')}</ul></section>`,
    `<section><h2>Graph</h2>${graphSvg(tasksOfRun(input, facts), chain)}</section>`,
    `<section><h2>Tasks</h2>${taskList(input, facts)}</section>`,
  ].join('\n')
}

function tasksOfRun({ view, plan }: ReportInput, { endAt }: Facts): GraphTask[] {
  const after = new Map(plan.tasks.map((task) => [task.id, task.after]))
  return view.tasks.map(({ id, title, needs, status, ...task }) => ({
    ...{ id, title, needs, after: after.get(id) ?? [], tone: STATUS_TONE[status], sign: status, word: status },
    open: status === 'pending' || status === 'ready' || status === 'blocked',
    took: task.history.length > 0 ? formatDuration(taskMs(task, endAt)) : '',
  }))
}

function swatch(tone: Tone): string {
  const hatch = tone === 'bad' || tone === 'warn' ? '<rect width="22" height="11" rx="3" fill="url(#hatch)"/>' : ''
  const box =
    tone === 'live'
      ? '<rect x=".75" y=".75" width="20.5" height="9.5" rx="3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="4 3"/>'
      : '<rect width="22" height="11" rx="3" fill="currentColor"/>'
  return `<svg class="${tone}" width="22" height="11" aria-hidden="true">${box}${hatch}</svg>`
}

function footer({ view, generatedAt }: ReportInput): string {
  const places = `Branch <span class="m">${html(line(view.branch, 200))}</span> at <span class="m">${html(view.head)}</span>, from base <span class="m">${html(view.base)}</span>.`
  return `<footer><p>${places}</p><p>Espalier, ${time(generatedAt)}, schedule ${view.schedule}. This file loads nothing from anywhere.</p></footer>`
}

function time(at: number): string {
  return `<time datetime="${iso(at)}">${clock(at)}</time>`
}
