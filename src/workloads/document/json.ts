// JSON, with comments and trailing commas. JSON.parse is the quick way; the rest runs when it fails, or for a place.
import { type ParseErrorCode, parse, printParseErrorCode, visit } from 'jsonc-parser'
import { LIMITS } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { controlCharacter } from './control-character.ts'
import { offsetOfDepth, TOO_DEEP } from './depth.ts'
import { shown } from './field.ts'
import { type Document, type Path, type Place, placeAt, placesAt, type Spot } from './place.ts'

export function readJson(text: string, file: string): Result<Document> {
  // Ten million brackets keep JSON.parse busy for seconds, and a few thousand overflow whoever recurses later.
  const tooDeep = offsetOfDepth(text, LIMITS.nesting, true)
  if (tooDeep !== null) return at(tooDeep, TOO_DEEP)
  const value = parsed(text)
  if (value !== undefined) return ok(toDocument(text, value))

  const control = controlCharacter(text)
  if (control) return at(control.offset, control.message)
  const error = firstError(text)
  if (error) return at(error.offset, error.message)
  return ok(toDocument(text, parse(text, [], { allowTrailingComma: true })))

  function at(offset: number, message: string): Result<Document> {
    return refuse(problem(message, { file, ...placeAt(text, offset) }))
  }
}

function toDocument(text: string, value: unknown): Document {
  let numerals: Map<string, string> | undefined
  return {
    value,
    locate: (spots) => locate(text, spots),
    doubled: () => doubledNames(text),
    numeral: (path) => {
      numerals ??= lossyNumbers(text)
      return numerals.get(JSON.stringify(path)) ?? null
    },
  }
}

/** By path: those that are written with more than a number keeps, such as a zero at the end or a twentieth digit. */
function lossyNumbers(text: string): Map<string, string> {
  const found = new Map<string, string>()
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _character, path) => {
      if (typeof value !== 'number' || Number.isSafeInteger(value)) return
      const written = text.slice(offset, offset + length)
      if (/^\d+(?:\.\d+)?$/.test(written) && written !== String(value)) found.set(JSON.stringify(path()), written)
    },
  })
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const WORDS: Record<string, string> = {
  InvalidSymbol: 'this is not JSON',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: '`:` is expected here',
  CommaExpected: '`,` is expected here',
  CloseBraceExpected: '`}` is missing',
  CloseBracketExpected: '`]` is missing',
  EndOfFileExpected: 'nothing more is expected after the end of the value',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this text has no closing quote',
  UnexpectedEndOfNumber: 'this number is not complete',
  InvalidUnicode: 'this `\\u` escape is not valid',
  InvalidEscapeCharacter: 'this escape is not valid',
  InvalidCharacter: 'this character must be escaped',
}

function firstError(text: string): { offset: number; message: string } | null {
  const errors: { offset: number; code: ParseErrorCode }[] = []
  const onError = (code: ParseErrorCode, offset: number): void => {
    if (errors.length === 0) errors.push({ offset, code })
  }
  visit(text, { onError }, { allowTrailingComma: true })
  const [first] = errors
  if (!first) return null
  return { offset: first.offset, message: WORDS[printParseErrorCode(first.code)] ?? 'this is not JSON' }
}

/** One pass over the text, which visits only what leads to the wanted paths. */
function locate(text: string, spots: readonly Spot[]): Place[] {
  if (spots.length === 0) return []
  const wanted = new Set(spots.flatMap(({ path }) => [keyOf([]), ...path.map((_, i) => keyOf(path.slice(0, i + 1)))]))
  const values = new Map<string, number>()
  const names = new Map<string, number>()
  const begin = (offset: number, _length: number, _line: number, _character: number, path: () => Path): boolean => {
    const key = keyOf(path())
    if (wanted.has(key)) values.set(key, offset)
    return wanted.has(key)
  }
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    // Without these two the visitor does not count its way out of what was skipped.
    onObjectEnd: () => {},
    onArrayEnd: () => {},
    onObjectProperty: (name, offset, _length, _line, _character, path) => {
      const key = keyOf([...path(), name])
      if (wanted.has(key)) names.set(key, offset)
    },
    onLiteralValue: (_value, offset, length, line, character, path) => {
      begin(offset, length, line, character, path)
    },
  })
  const offsetOf = ({ path, at }: Spot): number => {
    const ways = path.map((_, i) => values.get(keyOf(path.slice(0, i + 1)))).filter((offset) => offset !== undefined)
    return (at === 'name' ? names.get(keyOf(path)) : undefined) ?? ways.at(-1) ?? values.get(keyOf([])) ?? 0
  }
  return placesAt(text, spots.map(offsetOf))
}

function keyOf(path: Path): string {
  return JSON.stringify(path)
}

/**
 * Names that stand twice in one mapping: the last one holds, and whoever wrote the first does not know. Of a large text none:
 * looking at every name takes far longer than reading it.
 */
function doubledNames(text: string): { message: string; place: Place }[] {
  if (text.length > MAX_CHARS) return []
  const found: { name: string; offset: number }[] = []
  const open: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, offset) => {
      const names = open.at(-1)
      if (names?.has(name) && found.length < LIMITS.problems) found.push({ name, offset })
      names?.add(name)
    },
  })
  const places = placesAt(
    text,
    found.map(({ offset }) => offset),
  )
  return places.map((place, i) => ({
    message: `${shown(found[i]?.name)} is given twice: the first value is ignored`,
    place,
  }))
}

const MAX_CHARS = 16 << 20
