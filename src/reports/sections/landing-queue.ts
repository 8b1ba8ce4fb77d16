// The landing queue, from the history of a run: batches, verifications with their results, and tasks it sent back. The
// section has a row per batch.

import type { Culprit, PastVerification, RunHistory } from '../../facts/landing-queue-history.ts'
import { messageParts } from '../../failure.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import type { Tone } from '../../text/status-look.ts'
import { type Cell, list, type ReportSection, table } from './section.ts'

export type QueueFacts = NonNullable<ReturnType<typeof queueFacts>>
export type BatchFacts = QueueFacts['batches'][number]
export type VerificationFacts = ReturnType<typeof verificationFacts>

/** Null if nothing was verified. */
export function queueFacts({ verifications, batches, culprits }: RunHistory) {
  const all = [...verifications.values()]
  if (all.length === 0) return null
  return {
    batches: batches.map(({ commits: _, top: __, ...batch }) => {
      return { ...batch, verifications: batch.verifications.map(verificationFacts) }
    }),
    culprits,
    verifications: all.length,
    /** Verifications skipped (the tree was known to pass), halted, and failed before the same commit passed. */
    cached: all.filter(({ cached }) => cached).length,
    halted: all.filter(({ finishedAt, passed }) => finishedAt !== null && passed === null).length,
    flakes: all.filter(({ flake }) => flake).length,
    verifyMs: all.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  }
}

/** `tasks`: number of tasks verified, counted from the first of the batch that had not landed. */
function verificationFacts(one: PastVerification) {
  const { verification, startedAt: at, commit, tasks, passed, cached, flake, durationMs, failure } = one
  return { verification, at, commit, tasks: tasks.length, passed, cached, flake, durationMs, failure }
}

const MAX_BATCHES = 100
const MAX_CULPRITS = 30
const MAX_TASKS = 8
const MAX_VERIFICATIONS = 40

export function queueSection(queue: QueueFacts | null): ReportSection | null {
  if (!queue) return null
  const { batches, culprits } = queue
  const entry = ({ tasks, failure, again }: Culprit) => {
    const outcome = again ? 'was sent back and done again' : 'was ejected'
    return [{ tasks }, ` ${outcome}: ${messageParts(failure.message).said}`]
  }
  const rows = table(HEAD, batches, batchCells, MAX_BATCHES)
  const ejected = list(culprits, entry, MAX_CULPRITS)
  const words = [`${summary(queue)} ${HOW_TO_READ}`]
  return { title: 'Landing queue', words, ...rows, ...ejected, leftOut: rows.leftOut + ejected.leftOut }
}

const HEAD = ['Batch', 'Tasks', 'Verified', 'Landed', 'Sent back or ejected']

function batchCells({ tasks, verifications, landed, sentBack }: BatchFacts, index: number): Cell[] {
  return [
    String(index + 1),
    [`${tasks.length}: `, { tasks, most: MAX_TASKS }],
    verified(verifications),
    String(landed.length),
    { tasks: sentBack, most: MAX_TASKS },
  ]
}

const HOW_TO_READ =
  'A number is how many tasks of the batch were verified together. ✓ passed, ✗ failed, ≈ failed and then the same commit passed, – was halted.'

function summary(queue: QueueFacts): string {
  const { batches, verifications, cached, halted, flakes, culprits, verifyMs } = queue
  const again = culprits.filter((culprit) => culprit.again).length
  const ejected = culprits.length - again
  const words = [
    `${count(verifications, 'verification')} of ${count(batches.length, 'batch', 'batches')} in ${formatDuration(verifyMs)}`,
    cached > 0 ? `${cached} known from before` : '',
    halted > 0 ? `${halted} halted` : '',
    flakes > 0 ? count(flakes, 'flake') : '',
    again > 0 ? `${again} sent back` : '',
    ejected > 0 ? `${ejected} ejected` : '',
    culprits.length > 0 ? '' : 'nothing sent back',
  ]
  return `${words.filter((word) => word !== '').join(', ')}.`
}

/** `✓8 ✗4 ✓2` */
function verified(verifications: readonly VerificationFacts[]): Cell {
  const shown = verifications.slice(0, MAX_VERIFICATIONS).flatMap((one) => {
    const { sign, tone, word } = lookOf(one)
    const took = one.durationMs === null ? '' : ` after ${formatDuration(one.durationMs)}`
    return [{ sign: `${sign}${one.tasks}`, tone, title: `verification ${one.verification} ${word}${took}` }, ' ']
  })
  const left = verifications.length - MAX_VERIFICATIONS
  return [...shown.slice(0, -1), ...(left > 0 ? [` and ${left} more`] : [])]
}

function lookOf({ passed, cached, flake }: VerificationFacts): { sign: string; tone: Tone; word: string } {
  if (passed === null) return { sign: '–', tone: 'mute', word: 'stopped or still running' }
  if (passed) return { sign: '✓', tone: 'good', word: cached ? 'was known to pass' : 'passed' }
  return flake ? { sign: '≈', tone: 'warn', word: 'was a flake' } : { sign: '✗', tone: 'bad', word: 'failed' }
}
