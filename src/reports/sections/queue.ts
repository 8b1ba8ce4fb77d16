// The part of a report that shows the landing queue: a row per batch with all that was verified of it, in order.

import { messageParts } from '../../failure.ts'
import { formatDuration } from '../../text/duration.ts'
import type { BatchFacts, QueueFacts, VerificationFacts } from '../facts/queue.ts'
import { html, line, markdown, markdownCode } from '../html/escape.ts'
import type { Tone } from '../html/status-look.ts'
import { links } from '../html/task-list.ts'
import { plural } from '../wording.ts'

const MAX_BATCHES = 100
const MAX_CULPRITS = 30
const MAX_TASKS = 8
/** Of one batch. */
const MAX_VERIFICATIONS = 40
/** The tasks themselves tell it in full. */
const MESSAGE_CHARS = 300

const HEAD = ['Batch', 'Tasks', 'Verified', 'Landed', 'Sent back or ejected']

const HOW_TO_READ =
  'A number is how many tasks of the batch were verified together. ✓ passed, ✗ failed, ≈ failed and then the same commit passed, – was halted.'

export function queueInMarkdown(queue: QueueFacts | null): string {
  if (!queue) return ''
  const rows = queue.batches
    .slice(0, MAX_BATCHES)
    .map((batch, at) => [
      String(at + 1),
      `${batch.tasks.length}: ${someCode(batch.tasks)}`,
      batch.verifications.slice(0, MAX_VERIFICATIONS).map(sign).join(' ') + cut(batch),
      String(batch.landed.length),
      someCode(batch.sentBack),
    ])
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const culprits = queue.culprits.slice(0, MAX_CULPRITS).map(({ tasks, failure, again }) => {
    const { said } = messageParts(failure.message)
    return `- ${tasks.map(markdownCode).join(', ')} ${outcome(again)}: ${markdown(line(said, MESSAGE_CHARS))}`
  })
  const parts = ['## Landing queue', `${summary(queue)} ${HOW_TO_READ}`, lines.join('\n'), culprits.join('\n')]
  return [...parts, ...leftOut(queue)].filter((part) => part !== '').join('\n\n')
}

export function queueInHtml(queue: QueueFacts | null, known: Set<string>): string {
  if (!queue) return ''
  const rows = queue.batches.slice(0, MAX_BATCHES).map((batch, at) => {
    const chips = batch.verifications.slice(0, MAX_VERIFICATIONS).map(chip).join(' ')
    const back = batch.sentBack.length > 0 ? links(batch.sentBack, known, MAX_TASKS) : ''
    const tasks = `${batch.tasks.length}: ${links(batch.tasks, known, MAX_TASKS)}`
    return `<tr><td>${at + 1}</td><td>${tasks}</td><td>${chips}${cut(batch)}</td><td>${batch.landed.length}</td><td>${back}</td></tr>`
  })
  const culprits = queue.culprits.slice(0, MAX_CULPRITS).map(({ tasks, failure, again }) => {
    return `<li>${links(tasks, known)} ${outcome(again)}: ${html(line(failure.message, MESSAGE_CHARS))}</li>`
  })
  const list = culprits.length > 0 ? `<ul class="paths">${culprits.join('')}</ul>` : ''
  const head = HEAD.map((name) => `<th>${name}</th>`).join('')
  const notes = leftOut(queue).map((text) => `<p class="note">${html(text)}</p>`)
  return [
    `<section><h2>Landing queue</h2><p class="soft">${html(summary(queue))} ${html(HOW_TO_READ)}</p>`,
    `<div class="scroll"><table class="queue"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    `${list}${notes.join('')}</section>`,
  ].join('')
}

function summary(queue: QueueFacts): string {
  const { batches, verifications, cached, halted, flakes, culprits, verifyMs } = queue
  const again = culprits.filter((culprit) => culprit.again).length
  const ejected = culprits.length - again
  const words = [
    `${plural(verifications, 'verification')} of ${plural(batches.length, 'batch').replace(/batchs$/, 'batches')} in ${formatDuration(verifyMs)}`,
    cached > 0 ? `${cached} known from before` : '',
    halted > 0 ? `${halted} halted` : '',
    flakes > 0 ? plural(flakes, 'flake') : '',
    again > 0 ? `${again} sent back` : '',
    ejected > 0 ? `${ejected} ejected` : '',
    culprits.length > 0 ? '' : 'nothing sent back',
  ]
  return `${words.filter((word) => word !== '').join(', ')}.`
}

function outcome(again: boolean): string {
  return again ? 'was sent back and done again' : 'was ejected'
}

/** `✓8` */
function sign(verification: VerificationFacts): string {
  return `${lookOf(verification).sign}${verification.tasks}`
}

function chip(verification: VerificationFacts): string {
  const { sign, tone, word } = lookOf(verification)
  const took = verification.durationMs === null ? '' : ` after ${formatDuration(verification.durationMs)}`
  const title = `verification ${verification.verification} ${word}${took}`
  return `<span class="chip ${tone}" title="${html(title)}">${sign}${verification.tasks}</span>`
}

function lookOf({ passed, cached, flake }: VerificationFacts): { sign: string; tone: Tone; word: string } {
  if (passed === null) return { sign: '–', tone: 'mute', word: 'was halted or goes on' }
  if (passed) return { sign: '✓', tone: 'good', word: cached ? 'was known to pass' : 'passed' }
  return flake ? { sign: '≈', tone: 'warn', word: 'was a flake' } : { sign: '✗', tone: 'bad', word: 'failed' }
}

function cut({ verifications }: BatchFacts): string {
  const left = verifications.length - MAX_VERIFICATIONS
  return left > 0 ? ` and ${left} more` : ''
}

function leftOut({ batches, culprits }: QueueFacts): string[] {
  const [more, others] = [batches.length - MAX_BATCHES, culprits.length - MAX_CULPRITS]
  return [
    ...(more > 0 ? [`And ${more} more batches; the JSON report has all of them.`] : []),
    ...(others > 0 ? [`And ${others} more sent back or ejected; the JSON report has all of them.`] : []),
  ]
}

function someCode(ids: string[]): string {
  const shown = ids.slice(0, MAX_TASKS).map(markdownCode).join(', ')
  return ids.length > MAX_TASKS ? `${shown} and ${ids.length - MAX_TASKS} more` : shown
}
