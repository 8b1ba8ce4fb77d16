// Paths in a field for them: most often one, but also with a remark (`src/e.ts - add route`), several, or a sentence.
import { pathsInProse } from './prose.ts'

export function pathsInField(written: string): string[] {
  if (written.length > MAX_CHARS) return pathsInProse(written)
  const coded = Array.from(written.matchAll(/`([^`\s]+)[^`]*`/g), ([, path = '']) => path.replace(/:$/, ''))
  return coded.length > 0 ? coded : partsOf(written).flatMap(pathsOf)
}

export function saysNone(text: string): boolean {
  return NONE.has(text.trim().toLowerCase())
}

const MAX_CHARS = 4_000

const NONE = new Set(['', 'none', 'n/a', 'na', 'no', 'tbd', 'nothing', 'null', 'all', 'various', '-', '–', '—'])

/** Words that stand in sentences, and hardly in names of files. */
const SENTENCE =
  /(?:^|\s)(?:an?|the|in|of|to|and|or|for|from|with|like|as|at|by|see|e\.g\.|existing|new|all|any|create|add|update|modify|edit|remove|delete|use|follow)(?=\s)/i

/** At commas and line ends, but not inside brackets: `src/{a,b}.ts`. A comma without a blank, and `and`, may belong to a name. */
function partsOf(text: string): string[] {
  const parts = text.split(/\n|[,;](?![^([{]*[)\]}])|\s(?:and|→|->|=>)\s/)
  return /[,;]\s|\n/.test(text) || parts.every(looksLikePath) ? parts : [text]
}

function pathsOf(part: string): string[] {
  const text = unquoted(part)
  if (saysNone(text) || /^(?:[a-z]+:\/\/|\d+(?:[-–]\d+)?$)/i.test(text)) return []
  if (!/\s/.test(text)) return [text.replace(/:$/, '')]
  const heads = Array.from(text.matchAll(/\s\(|\s[-–—]+\s|\s#\s|:\s/g), ({ index }) => unquoted(text.slice(0, index)))
  const file = heads.find(hasExtension)
  if (file !== undefined) return pathsOf(file)
  const isSentence = SENTENCE.test(text)
  if (hasExtension(text) && !isSentence) return [text]
  const [head] = heads
  if (head !== undefined && (saysNone(head) || looksLikePath(head))) return pathsOf(head)
  const found = pathsInProse(text)
  return found.length === 0 && text.includes('/') && !isSentence ? [text] : found
}

function looksLikePath(text: string): boolean {
  return text.includes('/') || hasExtension(unquoted(text))
}

function hasExtension(text: string): boolean {
  return /[^\s/.]\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d+(?:-\d+)?)?$|^[A-Z][a-z]+file$/.test(text)
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2')
}
