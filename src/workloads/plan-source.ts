// From the files of a plan to one document in Espalier's own format, whatever format they have. The format is found by
// what is in them, or said with `--format`.
import { extname } from 'node:path'
import { LIMITS } from '../config.ts'
import { ok, problem, type Result, refuse } from '../problem.ts'
import { type Kind, readDocument, withoutMark } from './document.ts'
import { shown } from './field.ts'
import type { Entry, Format, Remark, SourceFile } from './formats/format.ts'
import { firstJsonLine } from './formats/jsonl-document.ts'
import { KNOWN_FORMATS } from './formats/known-formats.ts'
import { readJson } from './json-document.ts'
import { suggestion } from './nearest.ts'
import type { Document } from './place.ts'
import { SMALLEST_PLAN } from './plan-written.ts'
import { isMapping } from './schema-check.ts'

export type PlanFile = { file: string; text: string }

export type SourceOptions = {
  /** Which format it is; by default that is found out. */
  format?: string | undefined
  /** The part of it to run, in the words of the format. */
  part?: string | undefined
}

export type PlanSource = {
  /** `espalier` is the own one. */
  format: string
  title: string
  /** Where a place is that does not say so itself. */
  file: string
  document: Document
  assumed: Remark[]
  ignored: Remark[]
  warnings: Remark[]
  /** Every task of a file in another format, done or not; empty for the own one. */
  entries: Entry[]
}

const OWN = { format: 'espalier', title: "Espalier's own plan" }

/** What `--format` can say. */
export const FORMAT_NAMES: readonly string[] = [OWN.format, ...KNOWN_FORMATS.map(({ name }) => name)]

const KIND: Kind = { called: 'a plan', hint: SMALLEST_PLAN, mustHave: 'tasks', maxBytes: LIMITS.planBytes }

export function openSource(files: readonly PlanFile[], name: string, options: SourceOptions): Result<PlanSource> {
  const { format, part } = options
  if (format !== undefined && !FORMAT_NAMES.includes(format))
    return refuse(
      `there is no format ${shown(format)}${suggestion(format, FORMAT_NAMES)}; known: ${FORMAT_NAMES.join(', ')}`,
    )
  const [only] = files
  if (!only) return refuse(problem('there is no file in it that could be a plan', { file: name }))
  if (files.length > 1) return openMany(files, name, options)
  const found = format === undefined ? recognised(only) : ok(said(format, only))
  if (!found.ok) return found
  if (!found.value.format) return part === undefined ? own(only, found.value.source) : noParts(OWN.title, only.file)
  return translated(found.value.format, [found.value.source], part)
}

type Recognised = { format: Format | null; source: SourceFile }

function said(name: string, file: PlanFile): Recognised {
  return { format: KNOWN_FORMATS.find((format) => format.name === name) ?? null, source: sourceOf(file) }
}

/** No format: it is the own one, or nothing at all. */
function recognised(file: PlanFile): Result<Recognised> {
  const source = sourceOf(file)
  // Everything about the other formats needs a look at the text, which a file like that is not worth.
  if (source.text.length > LIMITS.planBytes || isYaml(file.file) || isOwn(source)) return ok({ format: null, source })
  const format = KNOWN_FORMATS.find((candidate) => candidate.recognises(source)) ?? null
  if (format === null && isProse(file.file) && /\S/.test(source.text))
    return refuse(problem(`this is not a plan: ${looked()}`, { file: file.file, line: 1, column: 1 }))
  return ok({ format, source })
}

function sourceOf({ file, text: written }: PlanFile): SourceFile {
  const text = withoutMark(written)
  if (text.length > LIMITS.planBytes) return { file, text }
  const first = /\S/.exec(text)?.[0] ?? ' '
  const isJson = ['.json', '.jsonc'].includes(extname(file).toLowerCase()) || '{[/'.includes(first)
  if (!isJson || firstJsonLine(text)) return { file, text }
  const read = readJson(text, file)
  return { file, text, json: read.ok ? read.value : undefined }
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file).toLowerCase())
}

/** Only a plan of another format, or none: never YAML. */
function isProse(file: string): boolean {
  return ['.md', '.markdown', '.mdx', '.jsonl', '.ndjson'].includes(extname(file).toLowerCase())
}

function isOwn({ file, text, json }: SourceFile): boolean {
  if (!json) return !isProse(file) && /^["']?tasks["']?[ \t]*:/m.test(text)
  const tasks = isMapping(json.value) ? json.value.tasks : undefined
  return Array.isArray(tasks) && tasks.some((task) => isMapping(task) && ('prompt' in task || 'run' in task))
}

function own(file: PlanFile, source: SourceFile): Result<PlanSource> {
  const read = source.json ? ok(source.json) : readDocument(file.text, file.file, KIND)
  if (!read.ok) return read
  if (!isMapping(read.value.value)) {
    const others = isYaml(file.file) ? '' : `; ${lookedElsewhere()}`
    return refuse(problem(`this is not a plan: ${SMALLEST_PLAN}${others}`, { file: file.file, line: 1, column: 1 }))
  }
  return ok({ ...OWN, file: file.file, document: read.value, assumed: [], ignored: [], warnings: [], entries: [] })
}

function looked(): string {
  return `${SMALLEST_PLAN}; ${lookedElsewhere()}`
}

function lookedElsewhere(): string {
  const signs = KNOWN_FORMATS.map(({ title, sign }) => `${title} by ${sign}`)
  return `other formats are recognised by what they hold: ${signs.join('; ')}. \`--format\` says which it is`
}

function translated(
  format: Format,
  files: readonly SourceFile[],
  part: string | undefined,
  name = files[0]?.file ?? '',
): Result<PlanSource> {
  for (const { file, text } of files) {
    if (text.length > LIMITS.planBytes) return tooBig(file)
    if (!/\S/.test(text)) return refuse(problem('the file is empty', { file, line: 1, column: 1 }))
  }
  if (part !== undefined && format.parts === undefined) return noParts(format.title, name)
  const read = format.translate(files, { part: part ?? null })
  if (!read.ok) return read
  const { value, locate, assumed, ignored, warnings = [], entries } = read.value
  const document: Document = { format: 'json', value, locate }
  return ok({ format: format.name, title: format.title, file: name, document, assumed, ignored, warnings, entries })
}

function tooBig<T>(file: string): Result<T> {
  return refuse(problem(`a plan may have ${LIMITS.planBytes >> 20} MB, and this has more`, { file }))
}

function noParts<T>(title: string, file: string): Result<T> {
  return refuse(problem(`\`--part\` has no meaning for ${title}`, { file }))
}

/** A folder, or several files: one plan of one file per task, or the only plan among them. */
function openMany(files: readonly PlanFile[], name: string, { format, part }: SourceOptions): Result<PlanSource> {
  const sources = files.map(sourceOf)
  const candidates = KNOWN_FORMATS.filter((one) => one.manyFiles && (format === undefined || one.name === format))
  const counted = candidates.map((one) => ({ one, mine: sources.filter((source) => one.recognises(source)) }))
  const best = counted.reduce<(typeof counted)[number] | null>(
    (most, next) => (next.mine.length > (most?.mine.length ?? 0) ? next : most),
    null,
  )
  if (!best) return openOnly(files, sources, name, { format, part })
  const mine = new Set(best.mine)
  const used = sources.filter((source) => mine.has(source) || best.one.alsoReads?.(source))
  const read = translated(best.one, used, part, name)
  if (!read.ok) return read
  const known = new Set(used)
  const others = sources.filter((source) => !known.has(source)).slice(0, LIMITS.problems)
  const ignored = others.map(({ file }): Remark => {
    return { message: `this file is not one of ${best.one.title}`, place: { line: 1, column: 1, file } }
  })
  return ok({ ...read.value, ignored: [...read.value.ignored, ...ignored] })
}

function openOnly(
  files: readonly PlanFile[],
  sources: readonly SourceFile[],
  name: string,
  options: SourceOptions,
): Result<PlanSource> {
  const plans = files.filter((_, i) => isPlan(sources[i] as SourceFile, options.format))
  const [only] = plans
  if (only && plans.length === 1) return openSource([only], name, options)
  if (!only) return refuse(problem(`there is no plan in it: ${looked()}`, { file: name }))
  const names = plans.slice(0, 5).map(({ file }) => file)
  const more = plans.length > names.length ? ', …' : ''
  return refuse(problem(`these are ${plans.length} plans (${names.join(', ')}${more}): name one`, { file: name }))
}

function isPlan(source: SourceFile, format: string | undefined): boolean {
  const known = KNOWN_FORMATS.filter(({ name }) => format === undefined || name === format)
  if (known.some((one) => one.recognises(source))) return true
  return (format === undefined || format === OWN.format) && isOwn(source)
}
