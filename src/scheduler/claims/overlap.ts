// Claims are globs of paths. Two claims conflict if some path could match both, so the question is not
// "does this path match" but "do these two patterns have a path in common". A pattern with syntax that this
// file does not understand (extglobs, negation) counts as matching any path: claims may hold a task back
// needlessly, but never let two tasks overlap. Hand-written, because picomatch and the like compare a path with a pattern.
import type { Claims } from '../../task.ts'

export type Claim = { pattern: string; mode: 'write' | 'read'; alternatives: Segment[][] }

/** A path segment: literal text, a wildcard within one segment, or `**` (any number of segments). */
type Segment = { kind: 'literal'; text: string } | { kind: 'wild'; tokens: Token[] } | { kind: 'any' }
type Token = { char: string } | 'one' | 'many'

const MAX_ALTERNATIVES = 64
const compiled = new Map<string, Segment[][]>()
const MAX_COMPILED = 200_000

export function toClaims(claims: Claims): Claim[] {
  const ofMode = (mode: Claim['mode']) =>
    claims[mode].map((pattern): Claim => ({ pattern, mode, alternatives: compile(pattern) }))
  return [...ofMode('write'), ...ofMode('read')]
}

/** A claim on a literal path and everything below it; characters of patterns in it have no meaning. */
export function claimOfPath(path: string): Claim {
  return { pattern: path, mode: 'write', alternatives: [[...literals(path), ANY]] }
}

export function covers(claims: readonly Claim[], path: string): boolean {
  const segments = literals(path)
  return claims.some(({ mode, alternatives }) => mode === 'write' && overlapping(alternatives, [segments]))
}

/** Readers share; a writer excludes all others. */
export function conflicts(a: Claim, b: Claim): boolean {
  return (a.mode === 'write' || b.mode === 'write') && overlapping(a.alternatives, b.alternatives)
}

export function anyConflict(some: readonly Claim[], others: readonly Claim[]): boolean {
  return some.some((one) => others.some((other) => conflicts(one, other)))
}

/**
 * True if two patterns can match the same path. A folder claims everything below it, and so does a pattern that may
 * match one; a pattern like `**` + `/*.md`, whose last part has an extension, means files.
 */
export function overlaps(a: string, b: string): boolean {
  return overlapping(compile(a), compile(b))
}

/** The folders that contain every path of this alternative: the literal segments it begins with. */
export function plainPrefix(segments: Segment[]): string[] {
  const end = segments.findIndex((segment) => segment.kind !== 'literal')
  return segments.slice(0, end === -1 ? undefined : end).map(textOf)
}

function overlapping(a: Segment[][], b: Segment[][]): boolean {
  return a.some((left) => b.some((right) => meet(left, right)))
}

function meet(a: Segment[], b: Segment[]): boolean {
  let plain = 0
  for (; a[plain]?.kind === 'literal' && b[plain]?.kind === 'literal'; plain++)
    if (textOf(a[plain]) !== textOf(b[plain])) return false
  return walk(a, b, plain, ({ kind }) => kind === 'any', segmentsMeet)
}

function textOf(segment: Segment | undefined): string {
  return segment?.kind === 'literal' ? segment.text : ''
}

function segmentsMeet(a: Segment, b: Segment): boolean {
  if (a.kind === 'literal' && b.kind === 'literal') return a.text === b.text
  return walk(tokensOf(a), tokensOf(b), 0, (token) => token === 'many', tokensMeet)
}

function tokensMeet(a: Token, b: Token): boolean {
  return typeof a === 'string' || typeof b === 'string' || a.char === b.char
}

/** Walks two sequences together; true if they can be equal. A position is a pair of indexes. */
function walk<T>(
  a: readonly T[],
  b: readonly T[],
  start: number,
  isAnyNumber: (part: T) => boolean,
  canBeSame: (a: T, b: T) => boolean,
): boolean {
  const columns = b.length + 1
  const seen = new Uint8Array((a.length + 1) * columns)
  const stack = [start * columns + start]
  while (stack.length > 0) {
    const place = stack.pop() as number
    if (seen[place]) continue
    seen[place] = 1
    const [left, right] = [a[Math.floor(place / columns)], b[place % columns]]
    if (left === undefined && right === undefined) return true
    if (left !== undefined && isAnyNumber(left)) {
      stack.push(place + columns)
      if (right !== undefined) stack.push(place + 1)
    } else if (right !== undefined && isAnyNumber(right)) {
      stack.push(place + 1)
      if (left !== undefined) stack.push(place + columns)
    } else if (left !== undefined && right !== undefined && canBeSame(left, right)) stack.push(place + columns + 1)
  }
  return false
}

function tokensOf(segment: Segment): Token[] {
  if (segment.kind === 'literal') return [...segment.text].map((char) => ({ char }))
  return segment.kind === 'wild' ? segment.tokens : ['many']
}

function compile(pattern: string): Segment[][] {
  const known = compiled.get(pattern)
  if (known) return known
  const result = expandBraces(pattern).map(toSegments)
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, result)
  return result
}

const ANY: Segment = { kind: 'any' }

function literals(path: string): Segment[] {
  return partsOf(path).map((text) => ({ kind: 'literal', text }))
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

function toSegments(pattern: string): Segment[] {
  if (pattern.startsWith('!')) return [ANY]
  const segments = partsOf(pattern).map(toSegment)
  const meansFiles = segments.some((segment) => segment.kind !== 'literal') && /\.[A-Za-z0-9]+$/.test(pattern)
  return meansFiles || segments.at(-1)?.kind === 'any' ? segments : [...segments, ANY]
}

function toSegment(text: string): Segment {
  if (text === '**') return ANY
  if (/[@!+?*]\(/.test(text)) return { kind: 'wild', tokens: ['many'] }
  if (!/[*?[\\]/.test(text)) return { kind: 'literal', text }
  const tokens: Token[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    const next = text[i + 1]
    if (char === '*') {
      if (tokens.at(-1) !== 'many') tokens.push('many')
    } else if (char === '?') tokens.push('one')
    else if (char === '\\' && next !== undefined) {
      tokens.push({ char: next })
      i++
    } else if (char === '[' && text.indexOf(']', i + 2) > 0) {
      tokens.push('one')
      i = text.indexOf(']', i + 2)
    } else tokens.push({ char })
  }
  return { kind: 'wild', tokens }
}

/** `a/{b,c}/d` is `a/b/d` and `a/c/d`. With too many alternatives, the pattern matches any path. */
function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const match = /\{([^{}]*,[^{}]*)\}/.exec(text)
    if (match) {
      const [whole, inner = ''] = match
      const [before, after] = [text.slice(0, match.index), text.slice(match.index + whole.length)]
      for (const part of inner.split(',').toReversed()) open.push(before + part + after)
    } else done.push(text)
    if (open.length + done.length > MAX_ALTERNATIVES) return ['**']
  }
  return done
}
