// Lessons as a file for the team: JSON lines in a fixed order, so that two people's changes merge. Pure.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { tidy } from '../../learning/observe.ts'
import { EVIDENCE, LESSON_CHARS, LESSON_KINDS, LESSON_PATHS, type Lesson } from '../../lesson.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { addError, errorsOf, type Findings, isFull, newFindings } from '../../workloads/document/findings.ts'
import { readJsonLines } from '../../workloads/document/jsonl.ts'
import { checked, isMapping } from '../../workloads/document/schema-check.ts'

/** Without secrets, as far as they can be told. `secrets`: values that are, whatever they look like. */
export function lessonsText(lessons: readonly Lesson[], secrets: readonly string[] = []): string {
  const sorted = lessons.toSorted((a, b) => order(a.domain, b.domain) || order(a.id, b.id))
  const lines = [HEAD, ...sorted.map((one) => toLine(one, secrets))]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const HEAD = { espalier: 'expertise', version: 1 }

type Line = z.infer<typeof lineSchema>

/** The conversation is left out: it is on the machine of whoever had it. */
function toLine(lesson: Lesson, secrets: readonly string[]): Line {
  const { id, domain, kind, seen, helped, failed, version } = lesson
  return {
    ...{ id, domain, kind, text: tidy(lesson.text, secrets) },
    paths: lesson.paths.filter((path) => tidy(path, secrets) === path),
    confidence: Number(lesson.confidence.toFixed(3)),
    ...{ seen, helped, failed },
    evidence: lesson.evidence.map(({ run, task, attempt, commit }) => ({ run, task, attempt, commit })),
    learnedAt: new Date(lesson.learnedAt).toISOString(),
    updatedAt: new Date(lesson.updatedAt).toISOString(),
    version,
  }
}

/** What is read is bounded and cleaned as if it were new: anybody may have written it. `now`: nothing is newer. */
export function readLessonsText(text: string, file: string, now: number): Result<Lesson[]> {
  if (text.length > FILE_CHARS) return refuse(problem(`is larger than ${FILE_CHARS >> 20} MB`, { file }))
  const read = readJsonLines(text.replace(/^\ufeff/, ''), file)
  if (!read.ok) return read
  const [head, ...lines] = read.value.value as unknown[]
  const fault = faultOf(head, lines.length)
  if (fault !== null) return refuse(problem(fault, { file, line: 1, column: 1 }))
  const findings = newFindings()
  const lessons = new Map<string, Lesson>()
  for (const [index, raw] of lines.entries()) {
    if (isFull(findings)) {
      findings.cutShort = true
      break
    }
    const lesson = toLesson(raw, index + 1, now, findings)
    if (lesson && lessons.has(lesson.id)) addError(findings, [index + 1, 'id'], `lesson ${lesson.id} is there twice`)
    if (lesson) lessons.set(lesson.id, lesson)
  }
  return findings.errors.length > 0 ? refuse(...errorsOf(findings, read.value, file)) : ok([...lessons.values()])
}

function faultOf(head: unknown, lessons: number): string | null {
  if (!isMapping(head) || head.espalier !== HEAD.espalier)
    return `this is no file of lessons: its first line would be ${JSON.stringify(HEAD)}. \`espalier expertise export\` writes one`
  if (head.version !== HEAD.version)
    return 'this file was written by another version of espalier: export it with this one'
  return lessons > MOST_LESSONS
    ? `there are ${lessons} lessons here, and ${MOST_LESSONS} are the most there may be`
    : null
}

function toLesson(raw: unknown, index: number, now: number, findings: Findings): Lesson | null {
  const before = findings.errors.length
  const line = checked(lineSchema, raw, () => [index], findings) as Line | null
  if (line === null || findings.errors.length > before) return null
  const text = tidy(line.text)
  if (text === '') {
    addError(findings, [index, 'text'], '`text` is empty')
    return null
  }
  const at = (time: string) => Math.min(Date.parse(time), now)
  return {
    ...{ ...line, text, evidence: line.evidence.map((one) => ({ ...one, session: null })) },
    ...{ learnedAt: at(line.learnedAt), updatedAt: at(line.updatedAt) },
  }
}

const NAME_CHARS = 200
const name = textOf(NAME_CHARS)
const count = z.int().min(0).max(1_000_000_000)

const evidence = z.strictObject({
  ...{ run: name, task: name, attempt: count.min(1) },
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, { error: 'must be the name of a commit' })
    .nullable(),
})

const lineSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{10}$/, { error: 'must be ten digits, 0-9 and a-f' }),
  domain: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be a name such as `payments`: a-z, 0-9 and -' }),
  kind: z.enum(LESSON_KINDS),
  text: textOf(4 * LESSON_CHARS),
  paths: listOf(textOf(LIMITS.askedPathChars), LESSON_PATHS),
  confidence: z.number().min(0).max(1),
  ...{ seen: count, helped: count, failed: count },
  evidence: listOf(evidence, EVIDENCE),
  ...{ learnedAt: z.iso.datetime(), updatedAt: z.iso.datetime() },
  version: count.min(1),
})

function textOf(chars: number) {
  return z.string().refine(({ length }) => length <= chars, { error: `is longer than ${chars} characters` })
}

function listOf<T extends z.ZodType>(item: T, most: number) {
  return z.array(item).refine(({ length }) => length <= most, { error: `has more than ${most} entries` })
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const FILE_CHARS = 32 << 20
const MOST_LESSONS = 50_000
