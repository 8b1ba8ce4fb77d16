// The kinds of values that plans and settings have in common. None of these changes a value.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { ID_PATTERN, LABEL_PATTERN } from '../../task.ts'
import { parseDuration } from '../../text/duration.ts'
import { firstNames } from '../../text/name-list.ts'
import { slug } from '../../text/slug.ts'

export const ID_RULE = 'use lower-case letters, digits and `-`, at most 63 characters, beginning with a letter or digit'

export const id = z.string().regex(ID_PATTERN, {
  error: ({ input }) => `${shown(input)} is not a valid name: ${ID_RULE}`,
})

export const filled = z.string().regex(/\S/, { error: 'is empty' })

const DURATION = /^\s*\d+(\.\d+)?\s*(ms|s|m|h|d)?\s*$/

export const duration = durationLike(
  DURATION,
  'must be a duration such as `90s`, `30m` or `2h` (a bare number is seconds)',
)

/** A limit of zero would end everything at once. */
export const timeLimit = duration.refine((value) => parseDuration(value) !== 0, { error: 'must be longer than zero' })

/** Zero, like `never`, turns it off. */
export const stallTime = durationLike(
  new RegExp(`^never$|${DURATION.source}`),
  'must be a duration such as `90s` or `5m` (a bare number is seconds), or `never`',
)

export const glob = z.string().refine((value) => globFault(value) === null, {
  error: ({ input }) => globFault(String(input)) ?? 'is not a pattern of paths',
})

export const globs = z.union([glob, z.array(glob)], { error: 'must be a path or a list of paths' })

export const commit = z.string().regex(/^[^-\s]\P{Cc}*$/u, {
  error: ({ input }) => `${shown(input)} is not a commit or branch`,
})

/** Name of a run, without its number. */
export const runName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
  error: ({ input }) =>
    `${shown(input)} cannot be part of a branch name: use lower-case letters, digits and \`-\`, at most 40 characters, ` +
    `such as \`${slug(String(input))}\``,
})

export const commands = z.union([filled, z.array(filled)], { error: 'must be a command or a list of commands' })

const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: ({ input }) => `${shown(input)} cannot be the name of an environment variable`,
})

export const env = z.record(
  envName,
  z.union([z.string(), z.number(), z.boolean()], { error: 'must be a string, a number or true/false' }),
)

export function toEnv(input: z.infer<typeof env> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(input ?? {}).map(([name, value]) => [name, String(value)]))
}

/** The name of a machine. */
export const label = z.string().regex(LABEL_PATTERN, {
  error: ({ input }) =>
    `${shown(input)} cannot be a label: lower-case letters, digits, \`-\`, \`_\` and \`.\`, at most 40`,
})
export const labels = z.array(label).max(LIMITS.labels)
export const count = z.int().min(1)
export const retries = z.int().min(0).max(LIMITS.retries)
export const iterations = z.int().min(1).max(LIMITS.iterations)
export const maxConcurrency = z.int().min(1).max(LIMITS.slots)
/** A budget of nothing would let nothing start. */
export const budgetUsd = z
  .number()
  .refine((usd) => usd > 0, { error: 'must be more than 0: it is an amount in US dollars' })
  .meta({ exclusiveMinimum: 0 })

function durationLike(pattern: RegExp, rule: string) {
  return z
    .union([z.number().nonnegative(), z.string().regex(pattern, { error: rule })], { error: rule })
    .refine((value) => (parseDuration(value) ?? 0) <= LIMITS.durationMs, { error: 'is longer than 24 days' })
}

export function listOf(value: string | string[] | undefined): string[] | undefined {
  return typeof value === 'string' ? [value] : value
}

export function toMs(value: string | number): number
export function toMs(value: string | number | undefined): number | undefined
export function toMs(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : (parseDuration(value) ?? undefined)
}

export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a mapping'
  if (typeof value !== 'string') return String(value)
  const text = value.length > 60 ? `${value.slice(0, 60)}…` : value
  return /\p{Cc}/u.test(text) || text === '' ? JSON.stringify(text) : `\`${text}\``
}

/** Names of a file in a message: `` `a`, `b` and 3 more ``. */
export function shownNames(names: readonly string[]): string {
  return firstNames(names.map(shown), 10)
}

export function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (typeof value === 'number') return `the number ${value}`
  return typeof value === 'string' ? `the string ${shown(value)}` : shown(value)
}

function globFault(value: string): string | null {
  if (value.trim() === '') return 'is empty: name a path or a pattern such as `src/**`'
  if (/^(\/|~|[A-Za-z]:[\\/])/.test(value))
    return `${shown(value)} is outside the worktree: paths are relative to the top of the repository`
  if (/(^|[/{,])\.\.([/},]|$)/.test(value))
    return `${shown(value)} may lead out of the repository: write it without \`..\``
  return null
}
