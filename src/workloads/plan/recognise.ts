// Which format a file has, by what is in it. What only looks like one is read as that, for a message in its words.
import { extname } from 'node:path'
import { LIMITS } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { nearest } from '../../text/nearest.ts'
import { withoutMark } from '../document/document.ts'
import { readJson } from '../document/json.ts'
import { firstJsonLine } from '../document/jsonl.ts'
import { isMapping } from '../document/schema-check.ts'
import type { Format, SourceFile } from '../formats/format.ts'
import { KNOWN_FORMATS } from '../formats/known-formats.ts'
import { SMALLEST_PLAN } from './written.ts'

/** No format: it is the own one, or nothing at all. `isSure`: false where it only looks like it. */
export type Recognised = { format: Format | null; source: SourceFile; isSure: boolean }

export function recognised(source: SourceFile): Result<Recognised> {
  const own = ok({ format: null, source, isSure: true })
  // Other formats are recognised by their text, which is not read for files like these.
  if (source.text.length > LIMITS.planBytes || isYaml(source.file) || looksOwn(source)) return own
  const format = KNOWN_FORMATS.find((candidate) => candidate.recognises(source))
  if (format) return ok({ format, source, isSure: true })
  const similar = KNOWN_FORMATS.find((candidate) => candidate.resembles?.(source))
  if (similar) return ok({ format: similar, source, isSure: false })
  return isPlanless(source) ? refuse(noPlan(source)) : own
}

export function sourceOf(written: Omit<SourceFile, 'json'>): SourceFile {
  const source = { ...written, text: withoutMark(written.text) }
  const { file, text } = source
  if (text.length > LIMITS.planBytes) return source
  const first = /\S/.exec(text)?.[0] ?? ' '
  const isJson = ['.json', '.jsonc'].includes(extname(file).toLowerCase()) || '{[/'.includes(first)
  if (!isJson || firstJsonLine(text)) return source
  const read = readJson(text, file)
  return { ...source, json: read.ok ? read.value : undefined }
}

export function looksOwn({ file, text, json }: SourceFile): boolean {
  if (!json) return !isProse(file) && /^["']?tasks["']?[ \t]*:/m.test(text)
  const tasks = isMapping(json.value) ? json.value.tasks : undefined
  return Array.isArray(tasks) && tasks.some((task) => isMapping(task) && ('prompt' in task || 'run' in task))
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file).toLowerCase())
}

/** True for names of other formats or no plan: never YAML. */
function isProse(file: string): boolean {
  return isLines(file) || ['.md', '.markdown', '.mdx'].includes(extname(file).toLowerCase())
}

function isLines(file: string): boolean {
  return ['.jsonl', '.ndjson'].includes(extname(file).toLowerCase())
}

/** Nothing in it was meant to be a plan of the own format: what it lacks of one is of no interest. */
function isPlanless({ file, text, json }: SourceFile): boolean {
  if (!json) return isProse(file) && /\S/.test(text)
  if (!isMapping(json.value)) return true
  const names = Object.keys(json.value)
  return nearest('tasks', names) === null && !names.some((name) => OWN_NAMES.has(name))
}

/** Names at the top of a plan that other files hardly have. */
const OWN_NAMES = new Set(['epics', 'defaults', 'landing', 'objective', 'agent', 'maxConcurrency', 'schedule'])

/** First what is wrong, then what it could have been: only what such a file can be. */
export function noPlan({ file, json }: SourceFile): Problem {
  const place = { file, line: 1, column: 1 }
  if (isYaml(file)) return problem(`this is not a plan: ${SMALLEST_PLAN}`, place)
  const kind = json || isLines(file) ? 'json' : isProse(file) ? 'markdown' : null
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
