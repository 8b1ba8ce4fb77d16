// Checks a mapping against its schema in the words of the file, and goes on with what is right.
import * as z from 'zod'
import { suggestion } from '../../text/nearest.ts'
import { kindOf, shown } from './field.ts'
import { addError, type Findings, isFull } from './findings.ts'
import type { Path } from './place.ts'

/** The fields that are right (the schemas here never change a value), or null where there is no mapping at all. */
export function checked<T extends z.ZodObject>(
  schema: T,
  raw: unknown,
  path: () => Path,
  findings: Findings,
): Partial<z.infer<T>> | null {
  const result = schema.safeParse(raw)
  if (result.success) return raw as z.infer<T>
  const context: Context = { schema, raw, base: path(), findings }
  for (const issue of result.error.issues) {
    if (isFull(findings)) findings.dropped++
    else report(issue, [], context)
  }
  if (!isMapping(raw)) return null
  const rest = { ...raw }
  for (const issue of result.error.issues) {
    if (issue.path.length > 0) delete rest[String(issue.path[0])]
    else if (issue.code === 'unrecognized_keys') for (const key of issue.keys) delete rest[key]
  }
  return rest as Partial<z.infer<T>>
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Issue = z.core.$ZodIssue
type Context = { schema: z.core.$ZodType; raw: unknown; base: Path; findings: Findings }

function report(issue: Issue, above: Path, context: Context): void {
  const inside = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  const path = [...context.base, ...inside]
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(context.schema, inside)
    // Worked out only for what is printed: it means a look at every name there is.
    const message = (key: string) => (): string =>
      `unknown field ${shown(key)}${suggestion(key, names) || known(names)}`
    for (const key of issue.keys) addError(context.findings, [...path, key], message(key), { at: 'name' })
    return
  }
  if (issue.code === 'invalid_union') {
    // The alternative that fits the kind of value, if there is one, knows best what is wrong.
    const fitting = issue.errors.filter((issues) =>
      issues.every((inner) => inner.path.length > 0 || !isWrongKind(inner)),
    )
    if (fitting.length === 1) {
      const better = fitting[0]?.filter((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys') ?? []
      for (const inner of better) report(inner, inside, context)
      if (better.length > 0) return
    }
  }
  const said = wording(issue, valueAt(context.raw, inside))
  if (issue.code === 'invalid_key') addError(context.findings, path, said, { at: 'name' })
  else addError(context.findings, path, withName(path, said))
}

function isWrongKind(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value'
}

function wording(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      if (value === undefined) return 'is missing'
      return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(value)}${remedy(issue.expected, value)}`
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      const near = typeof value === 'string' ? suggestion(value, values) : ''
      return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${shown(value)}${near}`
    }
    case 'too_small':
      if (issue.origin === 'array') return 'is an empty list'
      return `must be at least ${issue.minimum}, not ${shown(value)}`
    case 'too_big':
      return `must be at most ${issue.maximum}, not ${shown(value)}`
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not a possible name'
    default:
      return issue.message
  }
}

/** A hint how to write the value so that it has the expected type. */
function remedy(expected: string, value: unknown): string {
  if (expected === 'string' && typeof value === 'number') return ': put it in quotes'
  return expected === 'array' && typeof value === 'string' && value.length < SHORT ? `: write \`[${value}]\`` : ''
}

const SHORT = 40

/** `; known: id, run, needs`: where no name is near. */
function known(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `; known: ${names.slice(0, NAMES_LISTED).join(', ')}${names.length > NAMES_LISTED ? ', …' : ''}`
}

const NAMES_LISTED = 12

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** `` `id: ../x` is not … ``: where the message begins with the value, both are one quotation. */
function withName(path: Path, said: string): string {
  const name = nameOf(path)
  return name.startsWith('`') && said.startsWith('`') ? `${name.slice(0, -2)}: ${said.slice(1)}` : `${name}${said}`
}

/** `needs[0]`: the last name of the path and what follows it. */
function nameOf(path: Path): string {
  const last = path.findLastIndex((step) => typeof step === 'string')
  if (last === -1) return 'the file '
  const steps = path.slice(last + 1).map((step) => `[${step}]`)
  return `\`${path[last]}${steps.join('')}\` `
}

function valueAt(raw: unknown, path: Path): unknown {
  let value = raw
  for (const step of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
  return value
}

function namesAt(schema: z.core.$ZodType, path: Path): string[] {
  let level: (z.core.$ZodType | undefined)[] = [schema]
  for (const step of path) level = level.flatMap(plain).map((candidate) => child(candidate, step))
  return level
    .flatMap(plain)
    .flatMap((candidate) => (candidate instanceof z.ZodObject ? Object.keys(candidate.shape) : []))
}

function plain(schema: z.core.$ZodType | undefined): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return plain(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(plain)
  return schema ? [schema] : []
}

function child(schema: z.core.$ZodType, step: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodObject ? schema.shape[step] : undefined
}
