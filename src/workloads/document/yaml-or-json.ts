// The text of a plan or settings file. Places are only worked out for a problem: that costs more than reading.
import { extname } from 'node:path'
import { LIMITS } from '../../config.ts'
import { problem, type Result, refuse } from '../../problem.ts'
import { readJson } from './json.ts'
import type { Document } from './place.ts'
import { readYaml } from './yaml.ts'

/** The expected kind of file: words for messages, and a name that every big file of that kind has at its top level. */
export type Kind = { called: string; hint: string; mustHave: string | null; maxBytes: number }

/** YAML above this size is looked at before it is parsed: parsing garbage takes seconds. */
const SNIFFED_CHARS = 256 << 10

export function readDocument(source: string, file: string, kind: Kind): Result<Document> {
  const text = withoutMark(source)
  if (text.length > kind.maxBytes) return refuse(problem(tooBig(text, kind.called, kind.maxBytes), { file }))
  const first = /\S/.exec(text)?.[0]
  if (first === undefined) return refuse(problem(`the file is empty: ${kind.hint}`, { file, line: 1, column: 1 }))

  const extension = extname(file).toLowerCase()
  if (extension === '.json' || extension === '.jsonc') return readJson(text, file)
  if (!'{[/'.includes(first)) return readSniffed(text, file, kind)
  const json = readJson(text, file)
  // `{a: b}` is YAML as well, but nobody writes a megabyte of it.
  if (json.ok || text.length > SNIFFED_CHARS) return json
  const yaml = readYaml(text, file)
  return yaml.ok || extension === '.yaml' || extension === '.yml' ? yaml : json
}

export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function readSniffed(text: string, file: string, kind: Kind): Result<Document> {
  if (text.length > SNIFFED_CHARS && kind.mustHave !== null) {
    const wanted = new RegExp(`^["']?${kind.mustHave}["']?[ \\t]*:`, 'm')
    if (!wanted.test(text)) {
      const message = `this is not ${kind.called}: ${megabytes(text)} of text without \`${kind.mustHave}:\` at the top level`
      return refuse(problem(message, { file, line: 1, column: 1 }))
    }
  }
  if (text.length > LIMITS.yamlBytes) {
    const message = `${tooBig(text, 'YAML', LIMITS.yamlBytes)}; write it as JSON, which is read many times faster`
    return refuse(problem(message, { file }))
  }
  // The number of values takes time, not the size; most values stand on a line or before a comma.
  if (text.length > SNIFFED_CHARS && text.split(/[\n,]/).length > LIMITS.yamlPieces) {
    const limit = LIMITS.yamlPieces.toLocaleString('en')
    const message = `this is YAML of more than ${limit} lines and list items; write it as JSON, which is read many times faster`
    return refuse(problem(message, { file }))
  }
  return readYaml(text, file)
}

function tooBig(text: string, what: string, limit: number): string {
  return `${megabytes(text)} is more than ${what} may have (${limit >> 20} MB)`
}

function megabytes(text: string): string {
  return `${(text.length / (1 << 20)).toFixed(1)} MB`
}
