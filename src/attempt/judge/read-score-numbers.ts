// The numbers in what a score command printed or wrote. What it prints may hold what the candidate printed, so where the command
// says which number is meant (a key, a pattern), all that look like it have to be the same: a second one is no reason to choose.
import { runInNewContext } from 'node:vm'
import { LIMITS } from '../../config.ts'
import { SCORE, type Score } from '../../search.ts'

type Numbers =
  | { ok: true; values: Record<string, number> }
  | { ok: false; reason: 'missing' | 'ambiguous'; message: string }

export function numbersIn(score: Pick<Score, 'keys' | 'pattern' | 'rankedBy' | 'file'>, text: string): Numbers {
  const found = score.pattern !== null ? byPattern(score.pattern, text) : byKeys(score.keys, text)
  if (typeof found === 'string') return { ok: false, reason: 'missing', message: found }
  const values: Record<string, number> = {}
  for (const [name, numbers] of found) {
    const [first, ...others] = new Set(numbers)
    if (others.length > 0) {
      const shown = [first, ...others].slice(0, 3).join(', ')
      return {
        ok: false,
        reason: 'ambiguous',
        message: `there is more than one \`${name}\` (${shown}), and the candidate may have printed one of them`,
      }
    }
    if (first !== undefined) values[name] = first
  }
  const missing = [...found.keys()].find((name) => values[name] === undefined)
  if (missing !== undefined) return { ok: false, reason: 'missing', message: `there is no number \`${missing}\`` }
  return { ok: true, values }
}

/** By name, all there are; a text: what is missing. */
type Found = Map<string, number[]> | string

function byKeys(keys: readonly string[], text: string): Found {
  if (keys.length === 0) {
    const last = [...text.matchAll(NUMBER)].at(-1)?.[0]
    return last === undefined ? 'there is no number' : new Map([[SCORE, finite([Number(last)])]])
  }
  const documents = jsonIn(text)
  if (documents.length === 0) return 'there is no JSON'
  return new Map(keys.map((key) => [key, finite(documents.map((document) => valueAt(document, key)))]))
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g

/** All of it, or each line that is JSON. */
function jsonIn(text: string): unknown[] {
  const whole = parsed(text)
  if (whole !== undefined) return [whole]
  return text.split('\n').flatMap((line) => (/^\s*[{[]/.test(line) ? (parsed(line) ?? []) : []))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function valueAt(document: unknown, key: string): unknown {
  let current = document
  for (const name of key.split('.'))
    current =
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? Reflect.get(current, name)
        : undefined
  return current
}

function finite(values: readonly unknown[]): number[] {
  return values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
}

/** The text is not ours: a pattern that takes too long for it is ended. */
function byPattern(pattern: string, text: string): Found {
  let matches: { all: string; first?: string; named?: Record<string, string> }[]
  try {
    matches = JSON.parse(runInNewContext(MATCH, { pattern, text }, { timeout: LIMITS.scoreMatchMs }) as string)
  } catch {
    return `the pattern \`${pattern}\` took too long to look for`
  }
  if (matches.length === 0) return `nothing matches \`${pattern}\``
  const found = new Map<string, number[]>()
  const add = (name: string, value: string) =>
    found.set(name, [...(found.get(name) ?? []), ...finite([toNumber(value)])])
  for (const { all, first, named } of matches)
    for (const [name, value] of Object.entries(named ?? { [SCORE]: first ?? all })) add(name, value ?? '')
  return found
}

const MATCH =
  'JSON.stringify([...text.matchAll(new RegExp(pattern, "gm"))].slice(0, 1000).map(m => ({ all: m[0], first: m[1], named: m.groups && { ...m.groups } })))'

/** `1,234 ms` is no number that everybody reads alike. */
function toNumber(text: string): number {
  const trimmed = text.trim()
  return trimmed === '' ? Number.NaN : Number(trimmed)
}
