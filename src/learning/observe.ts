// Observations from one attempt. Pure: from facts to sentences.

import { createHash } from 'node:crypto'
import type { Evidence, Lesson } from '../learning-records.ts'
import { safeText } from '../text/safe.ts'
import { redact } from './redact.ts'

export type ObservedAttempt = {
  domain: string
  evidence: Evidence
  succeeded: boolean
  undeclared?: readonly string[] | undefined
  /** Failures of checks that passed later, with the paths changed in between. */
  fixed?: readonly { message: string; paths: readonly string[] }[] | undefined
  conflicts?: readonly string[] | undefined
  denied?: readonly string[] | undefined
  advice?: readonly string[] | undefined
}

/** Something seen once, on its way to becoming a lesson. */
export type Observation = Seen & { domain: string; evidence: Evidence }

type Seen = Pick<Lesson, 'kind' | 'text' | 'paths'> & {
  /** Key of equal observations within their domain and kind. */
  key: string
  /** The confidence of a lesson that was seen once. */
  trust: number
}

export function lessonId({ domain, kind, key }: Pick<Observation, 'domain' | 'kind' | 'key'>): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, kind, key]))
    .digest('hex')
    .slice(0, 10)
}

export function observe(session: ObservedAttempt, secrets: readonly string[] = []): Observation[] {
  const { domain, evidence } = session
  return [...seenIn(session, secrets)].map((one) => ({ ...one, text: tidy(one.text, secrets), domain, evidence }))
}

function* seenIn(session: ObservedAttempt, secrets: readonly string[]): Generator<Seen> {
  const { succeeded, fixed = [] } = session
  for (const { message, paths } of few(fixed.filter((one) => succeeded && one.paths.length > 0))) {
    const what = essence(message, secrets)
    const named = paths.slice(0, LESSON_PATHS)
    const text = `${CHECK_FAILED}${what}${PUT_RIGHT} a change of ${listed(named)}.`
    yield { kind: 'fix', key: what, paths: named, trust: 0.35, text }
  }
  // The other task's name is left out: it means nothing in another plan.
  for (const path of few(session.conflicts)) {
    const text = `Several tasks change ${path} at the same time, which has led to conflicts: change as little of it as you can.`
    yield { kind: 'conflict', key: path, paths: [path], trust: 0.35, text }
  }
  for (const path of few(session.undeclared)) {
    const text = `Tasks like this have changed ${path} without claiming it.`
    yield { kind: 'paths', key: `undeclared ${path}`, paths: [path], trust: 0.25, text }
  }
  for (const path of few(session.denied)) {
    const text = `Writing ${path} was not allowed: do without it, or ask for it first.`
    yield { kind: 'paths', key: `denied ${path}`, paths: [path], trust: 0.35, text }
  }
  for (const text of few(session.advice).map((one) => tidy(one, secrets)))
    yield { kind: 'advice', key: text.toLowerCase(), paths: pathsIn(text), trust: 0.5, text }
}

function few<T>(all: readonly T[] = []): T[] {
  return all.slice(0, MOST_OF_A_KIND)
}

/**
 * Turns text into one safe line without secrets. Invisible characters go first: a secret with one in its middle is
 * still a secret.
 */
export function tidy(text: string, secrets: readonly string[] = []): string {
  const line = redact(safeText(text.slice(0, READ_CHARS)), secrets)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= LESSON_CHARS ? line : `${line.slice(0, LESSON_CHARS - 1)}…`
}

/** The first line after the command that names an error, without durations. */
function essence(message: string, secrets: readonly string[]): string {
  const lines = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const line = lines.slice(1).find((one) => TELLING.test(one)) ?? lines[0] ?? ''
  const text = tidy(line, secrets)
    .replace(/\d+(\.\d+)?\s?(ms|s)\b/g, 'a while')
    .slice(0, 200)
  return /[.!?:…]$/.test(text) ? text : `${text}.`
}

export const CHECK_FAILED = 'A check failed: '
/** After this mark, equal lessons may differ. */
export const PUT_RIGHT = ' What put it right:'

const TELLING = /error|fail|expected|cannot|not found|undefined|exception/i

/** Paths in a text of advice, to notice when these files are gone. */
export function pathsIn(text: string): string[] {
  const found = text.match(/(?<![\w/.-])(?:[\w.-]+\/)+[\w.-]*\w/g) ?? []
  return [...new Set(found)].slice(0, LESSON_PATHS)
}

function listed(names: readonly string[]): string {
  return names.length <= 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Most characters and paths of one lesson. */
const LESSON_CHARS = 400
const LESSON_PATHS = 8
/** Longer than a lesson, because a cut could leave half a secret. */
const READ_CHARS = 10 * LESSON_CHARS
const MOST_OF_A_KIND = 5
