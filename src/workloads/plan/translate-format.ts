// From the files of a plan to one document in Espalier's own format. Which format a file has is known by what is in it; what only looks
// like one is read as that, for a message in its words.
import { extname } from 'node:path'
import { LIMITS } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { nearest, suggestion } from '../../text/nearest.ts'
import { isUtf16 } from '../document/control-character.ts'
import { shown } from '../document/field.ts'
import { readJson } from '../document/json.ts'
import { firstJsonLine } from '../document/jsonl.ts'
import type { Document, Place } from '../document/place.ts'
import { isMapping } from '../document/schema-check.ts'
import { type Kind, readDocument, withoutMark } from '../document/yaml-or-json.ts'
import type { AcceptedChecks } from '../formats/checks/commands-in.ts'
import type { Entry, Format, Remark, SourceFile, Translation } from '../formats/format.ts'
import { KNOWN_FORMATS } from '../formats/known-formats.ts'
import { SMALLEST_PLAN } from './plan-fields.ts'
import type { Draft } from './tasks-before-needs.ts'

/** `state`: what the program of the format notes in a file beside it, such as Task Master its current tag. */
export type PlanFile = { file: string; text: string; state?: string | undefined }

export type SourceOptions = {
  format?: string | undefined
  part?: string | undefined
  checks?: AcceptedChecks | undefined
  /** Run tasks again that the file calls done. */
  redo?: boolean | undefined
}

export type PlanSource = {
  format: string
  title: string
  /** File of places that name none. */
  file: string
  files: readonly string[]
  /** The part of it that was read, where nobody named one and there are several. */
  part?: string | undefined
  document: Document
  assumed: Remark[]
  ignored: Remark[]
  warnings: Remark[]
  checksToAccept: string[]
  /** Every task of a file in another format, done or not; empty for the own one. */
  entries: Entry[]
  wording: Draft['wording']
}

export function isOwn({ format }: Pick<PlanSource, 'format'>): boolean {
  return format === OWN.format
}

const OWN = { format: 'espalier', title: "Espalier's own plan" }

const FORMAT_NAMES: readonly string[] = [OWN.format, ...KNOWN_FORMATS.map(({ name }) => name)]

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
  if (isUtf16(only.text)) return refuse(inUtf16(only.file))
  const found = format === undefined ? recognised(sourceOf(only)) : ok(named(format, sourceOf(only)))
  if (!found.ok) return found
  const { format: foreign, source, isSure } = found.value
  if (!foreign) return part === undefined ? own(only, source) : refuse(noParts(OWN.title, only.file))
  const read = translated(foreign, [source], options)
  if (read.ok || isSure) return read
  const message = `it was read as ${foreign.title}, which it looks most like; \`--format\` says what else it is`
  return refuse(...read.problems, problem(message, { file: only.file, line: 1, column: 1 }))
}

function named(name: string, source: SourceFile): Recognised {
  return { format: formatsNamed(name)[0] ?? null, source, isSure: true }
}

function own(file: PlanFile, source: SourceFile): Result<PlanSource> {
  const read = source.json ? ok(source.json) : readDocument(file.text, file.file, KIND)
  if (!read.ok) return read
  if (!isMapping(read.value.value)) return refuse(noPlan(source))
  const wording: Draft['wording'] = { task: 'task', epic: 'epic', taskName: (id) => id, epicName: (id) => id }
  const nothing = { assumed: [], ignored: [], warnings: [], checksToAccept: [], entries: [] }
  return ok({ ...OWN, file: file.file, files: [file.file], document: read.value, ...nothing, wording })
}

function translated(
  format: Format,
  files: readonly SourceFile[],
  { part, checks = [], redo }: SourceOptions,
  name = files[0]?.file ?? '',
): Result<PlanSource> {
  for (const { file, text } of files) {
    if (text.length > LIMITS.planBytes)
      return refuse(problem(`a plan may have ${LIMITS.planBytes >> 20} MB, and this has more`, { file }))
    if (isUtf16(text)) return refuse(inUtf16(file))
    if (!/\S/.test(text)) return refuse(problem('the file is empty', { file, line: 1, column: 1 }))
  }
  if (part !== undefined && format.parts === undefined) return refuse(noParts(format.title, name))
  const read = format.translate(files, { part: part ?? null, checks, redo })
  if (!read.ok) return read
  const { value, locate, assumed, ignored, warnings = [], checksToAccept, entries, part: chosen } = read.value
  const document: Document = { value, locate }
  const names = files.map(({ file }) => file)
  const inOrder = (remarks: readonly Remark[]) => remarks.toSorted((a, b) => compare(a.place, b.place, names))
  const said = {
    assumed: inOrder(assumed),
    ignored: inOrder(ignored),
    warnings,
    checksToAccept,
    entries,
    wording: wordingOf(format, read.value),
    part: chosen,
  }
  return ok({ format: format.name, title: format.title, file: name, files: names, document, ...said })
}

function compare(a: Place, b: Place, files: readonly string[]): number {
  const fileOf = ({ file }: Place): number => (file === undefined ? 0 : files.indexOf(file))
  return fileOf(a) - fileOf(b) || a.line - b.line || a.column - b.column
}

function wordingOf({ words }: Format, { entries, epicNames }: Translation): Draft['wording'] {
  const names = new Map(entries.map(({ task, source }) => [task, source]))
  const taskName = (id: string): string => names.get(id) ?? id
  return { task: 'task', epic: 'epic', ...words, taskName, epicName: (id) => epicNames?.get(id) ?? taskName(id) }
}

function inUtf16(file: string): Problem {
  return problem('this is UTF-16: save it as UTF-8', { file, line: 1, column: 1 })
}

function noParts(title: string, file: string): Problem {
  return problem(`\`--part\` has no meaning for ${title}`, { file })
}

/** A folder, or several files: one plan of one file per task, or the only plan among them. */
function openMany(files: readonly PlanFile[], name: string, options: SourceOptions): Result<PlanSource> {
  const sources = files.map(sourceOf)
  const candidates = formatsNamed(options.format).filter(({ manyFiles }) => manyFiles)
  const counted = candidates.map((one) => ({ one, mine: new Set(sources.filter((source) => one.recognises(source))) }))
  const [best] = counted.filter(({ mine }) => mine.size > 0).sort((a, b) => b.mine.size - a.mine.size)
  if (!best) return openOnly(files, sources, name, options)
  const used = new Set(sources.filter((source) => best.mine.has(source) || best.one.alsoReads?.(source)))
  const read = translated(best.one, [...used], options, name)
  if (!read.ok) return read
  const others = sources.filter((source) => !used.has(source)).slice(0, LIMITS.problems)
  const ignored = others.map(({ file }): Remark => {
    return { message: `this file is not one of ${best.one.title}`, place: { line: 1, column: 1, file } }
  })
  return ok({ ...read.value, ignored: [...read.value.ignored, ...ignored] })
}

/** The plans there are among the files of a folder, with what they are: the folder itself, where it is one. */
export function plansAmong(
  files: readonly PlanFile[],
  folder: string,
  format?: string,
): { name: string; title: string }[] {
  const sources = files.map(sourceOf)
  const many = formatsNamed(format).find((one) => one.manyFiles && sources.some((source) => one.recognises(source)))
  if (many) return [{ name: folder, title: many.title }]
  return sources.flatMap((source) => {
    const title = titleOf(source, format)
    return title === null ? [] : [{ name: source.file, title }]
  })
}

function openOnly(
  files: readonly PlanFile[],
  sources: readonly SourceFile[],
  name: string,
  options: SourceOptions,
): Result<PlanSource> {
  const plans = files.filter((_, i) => titleOf(sources[i] as SourceFile, options.format) !== null)
  const [only] = plans
  if (only && plans.length === 1) return openSource([only], name, options)
  if (!only) return refuse(problem('there is no plan in it', { file: name }))
  const names = plans.slice(0, 5).map(({ file }) => file)
  const more = plans.length > names.length ? ', …' : ''
  return refuse(problem(`these are ${plans.length} plans (${names.join(', ')}${more}): name one`, { file: name }))
}

function formatsNamed(name: string | undefined): Format[] {
  return KNOWN_FORMATS.filter((one) => name === undefined || one.name === name)
}

/** Title of the format of a plan; null: it is none. */
function titleOf(source: SourceFile, format: string | undefined): string | null {
  const known = formatsNamed(format).find((one) => one.recognises(source))
  if (known) return known.title
  return (format === undefined || format === OWN.format) && looksOwn(source) ? OWN.title : null
}

/** No format: it is the own one, or nothing at all. `isSure`: false where it only looks like it. */
type Recognised = { format: Format | null; source: SourceFile; isSure: boolean }

function recognised(source: SourceFile): Result<Recognised> {
  const own = ok({ format: null, source, isSure: true })
  // Other formats are recognised by their text, which is not read for files like these.
  if (source.text.length > LIMITS.planBytes || endsIn(source.file, YAML) || looksOwn(source)) return own
  const format = KNOWN_FORMATS.find((candidate) => candidate.recognises(source))
  if (format) return ok({ format, source, isSure: true })
  const similar = KNOWN_FORMATS.find((candidate) => candidate.resembles?.(source))
  if (similar) return ok({ format: similar, source, isSure: false })
  return isPlanless(source) ? refuse(noPlan(source)) : own
}

function sourceOf(written: Omit<SourceFile, 'json'>): SourceFile {
  const source = { ...written, text: withoutMark(written.text) }
  const { file, text } = source
  if (text.length > LIMITS.planBytes) return source
  const first = /\S/.exec(text)?.[0] ?? ' '
  const isJson = endsIn(file, ['.json', '.jsonc']) || '{[/'.includes(first)
  if (!isJson || firstJsonLine(text)) return source
  const read = readJson(text, file)
  return { ...source, json: read.ok ? read.value : undefined }
}

function looksOwn({ file, text, json }: SourceFile): boolean {
  if (!json) return !endsIn(file, PROSE) && /^["']?tasks["']?[ \t]*:/m.test(text)
  const tasks = isMapping(json.value) ? json.value.tasks : undefined
  return Array.isArray(tasks) && tasks.some((task) => isMapping(task) && ('prompt' in task || 'run' in task))
}

const YAML = ['.yaml', '.yml']
const LINES = ['.jsonl', '.ndjson']
/** Endings of other formats, or of no plan. */
const PROSE = [...LINES, '.md', '.markdown', '.mdx']

function endsIn(file: string, endings: readonly string[]): boolean {
  return endings.includes(extname(file).toLowerCase())
}

/** Nothing in it was meant to be a plan of the own format: what it lacks of one is of no interest. */
function isPlanless({ file, text, json }: SourceFile): boolean {
  if (!json) return endsIn(file, PROSE) && /\S/.test(text)
  if (!isMapping(json.value)) return true
  const names = Object.keys(json.value)
  return nearest('tasks', names) === null && !names.some((name) => OWN_NAMES.has(name))
}

/** Names at the top of a plan that other files hardly have. */
const OWN_NAMES = new Set(['epics', 'defaults', 'landing', 'objective', 'agent', 'maxConcurrency', 'schedule'])

/** First what is wrong, then what it could have been: only what such a file can be. */
function noPlan({ file, json }: SourceFile): Problem {
  const place = { file, line: 1, column: 1 }
  if (endsIn(file, YAML)) return problem(`this is not a plan: ${SMALLEST_PLAN}`, place)
  const kind = json || endsIn(file, LINES) ? 'json' : endsIn(file, PROSE) ? 'markdown' : null
  const known = KNOWN_FORMATS.filter((format) => kind === null || format.kind === kind)
  const own = kind === 'markdown' ? [] : [{ name: 'espalier', sign: OWN_SIGN }]
  const signs = [...own, ...known]
  const width = Math.max(...signs.map(({ name }) => name.length))
  const lines = signs.map(({ name, sign }) => `    ${name.padEnd(width)}  ${sign}`)
  const head = 'this is not a plan that is known here. What it could be, and how it would be known:'
  const convert = kind === 'markdown' ? [CONVERT] : []
  return problem([head, ...lines, '  `--format NAME` says which it is.', ...convert].join('\n'), place)
}

const CONVERT = `  \`espalier plan convert FILE --agent NAME -o plan.yaml\` lets an agent make a plan of it.`
const OWN_SIGN = 'a list of `tasks`, each with an `id` and a `prompt` or `run`'
