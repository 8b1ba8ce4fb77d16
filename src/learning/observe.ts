// What one attempt teaches, by what is known of it afterwards. Pure: from facts to sentences.

import { createHash } from 'node:crypto'
import type { Failure } from '../failure.ts'
import { type Evidence, LESSON_CHARS, LESSON_PATHS, type Lesson } from '../lesson.ts'
import { safeText } from '../text/safe.ts'
import { redact } from './redact.ts'

export type Session = {
  domain: string
  evidence: Evidence
  succeeded: boolean
  touched: readonly string[]
  undeclared: readonly string[]
  checks: readonly { command: string; durationMs: number; passed: boolean }[]
  /** What failed first and passed in the end, and what was changed in between. */
  fixed: readonly { failure: Pick<Failure, 'message'>; paths: readonly string[] }[]
  conflicts: readonly string[]
  denied: readonly string[]
  advice: readonly string[]
}

export function observe(session: Session, secrets: readonly string[] = []): Observation[] {
  return [
    ...together(session),
    ...commands(session),
    ...fixes(session, secrets),
    ...conflicts(session),
    ...strayPaths(session),
    ...advice(session, secrets),
  ].map((one) => ({ ...one, text: tidy(one.text, secrets) }))
}

/** Two files of one change. Large changes say nothing about pairs. */
function together({ domain, evidence, succeeded, touched }: Session): Observation[] {
  const files = touched.filter((path) => !path.endsWith('/')).sort()
  if (!succeeded || files.length < 2 || files.length > MOST_FILES) return []
  return files.flatMap((a, n) =>
    files.slice(n + 1).map((b) => ({
      ...{ domain, evidence, kind: 'together' as const, key: `${a}\n${b}`, paths: [a, b] },
      ...{ text: `Changes of ${a} went with changes of ${b}.`, trust: 0.15 },
    })),
  )
}

function commands({ domain, evidence, checks }: Session): Observation[] {
  return checks
    .filter(({ passed }) => passed)
    .slice(0, MOST_OF_A_KIND)
    .map(({ command, durationMs }) => ({
      ...{ domain, evidence, kind: 'command' as const, key: command, paths: [], trust: 0.12 },
      text: `\`${command}\` checks the work${TAKES} ${roughly(durationMs)}.`,
    }))
}

function fixes({ domain, evidence, succeeded, fixed }: Session, secrets: readonly string[]): Observation[] {
  if (!succeeded) return []
  return fixed
    .filter(({ paths }) => paths.length > 0)
    .slice(0, MOST_OF_A_KIND)
    .map(({ failure, paths }) => {
      const what = essence(failure.message, secrets)
      const named = paths.slice(0, LESSON_PATHS)
      const text = `${CHECK_FAILED}${what}${PUT_RIGHT} a change of ${listed(named)}.`
      return { domain, evidence, kind: 'fix' as const, key: what, paths: [...named], text, trust: 0.35 }
    })
}

/** With whom is left out: the names of a plan's tasks say nothing to those of another. */
function conflicts({ domain, evidence, conflicts }: Session): Observation[] {
  return conflicts.slice(0, MOST_OF_A_KIND).map((path) => ({
    ...{ domain, evidence, kind: 'conflict' as const, key: path, paths: [path], trust: 0.35 },
    text: `Several tasks change ${path} at the same time, which has led to conflicts: change as little of it as you can.`,
  }))
}

function strayPaths({ domain, evidence, undeclared, denied }: Session): Observation[] {
  const stray = undeclared.slice(0, MOST_OF_A_KIND).map((path) => ({
    ...{ domain, evidence, kind: 'paths' as const, key: `undeclared ${path}`, paths: [path], trust: 0.25 },
    text: `Tasks like this have changed ${path} without claiming it.`,
  }))
  const refused = denied.slice(0, MOST_OF_A_KIND).map((path) => ({
    ...{ domain, evidence, kind: 'paths' as const, key: `denied ${path}`, paths: [path], trust: 0.35 },
    text: `Writing ${path} was not allowed: do without it, or ask for it first.`,
  }))
  return [...stray, ...refused]
}

function advice({ domain, evidence, advice }: Session, secrets: readonly string[]): Observation[] {
  return advice
    .slice(0, MOST_OF_A_KIND)
    .map((said) => tidy(said, secrets))
    .map((text) => ({
      ...{ domain, evidence, kind: 'advice' as const, key: text.toLowerCase(), paths: pathsIn(text) },
      ...{ text, trust: 0.5 },
    }))
}

/** One safe line without secrets. Invisible characters go first: a secret with one in its middle is still a secret. */
export function tidy(text: string, secrets: readonly string[] = []): string {
  const line = redact(safeText(text.slice(0, READ_CHARS)), secrets)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= LESSON_CHARS ? line : `${line.slice(0, LESSON_CHARS - 1)}…`
}

/** The line that says what is wrong: the first after the command that names an error. How long it took is left out. */
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
/** What comes after these differs from one sight of a lesson to the next. */
export const TAKES = '; it takes about'
export const PUT_RIGHT = ' What put it right:'

const TELLING = /error|fail|expected|cannot|not found|undefined|exception/i

/** Paths of files an advice names, to know when they are gone. */
export function pathsIn(text: string): string[] {
  const found = text.match(/(?<![\w/.-])(?:[\w.-]+\/)+[\w.-]*\w/g) ?? []
  return [...new Set(found)].slice(0, LESSON_PATHS)
}

function roughly(ms: number): string {
  if (ms < 1_500) return 'a second'
  if (ms < 90_000) return `${Math.round(ms / 1_000)} seconds`
  return `${Math.round(ms / 60_000)} minutes`
}

function listed(names: readonly string[]): string {
  return names.length <= 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Of a text, far more than is kept: where it is cut, half a secret might stay. */
const READ_CHARS = 10 * LESSON_CHARS
const MOST_FILES = 6
const MOST_OF_A_KIND = 5

// Something seen once, on its way to becoming a lesson.

export type Observation = Pick<Lesson, 'domain' | 'kind' | 'text' | 'paths'> & {
  /** What makes two observations the same, within their domain and kind. */
  key: string
  evidence: Evidence
  trust: number
}

export function lessonId({ domain, kind, key }: Pick<Observation, 'domain' | 'kind' | 'key'>): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, kind, key]))
    .digest('hex')
    .slice(0, 10)
}
