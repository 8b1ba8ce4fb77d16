// `resources` of a plan or suite, and `uses` of what runs in it.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { Resource } from '../../task.ts'
import { suggestion } from '../../text/nearest.ts'
import { env, shown } from './field.ts'
import { addError, type Findings } from './findings.ts'
import type { Path } from './place.ts'

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, {
  error: ({ input }) => `${shown(input)} cannot name a resource: lower-case letters, digits, \`-\` and \`_\``,
})
const number = z.int().min(1).max(LIMITS.resources)

export const resources = z
  .record(
    name,
    z.union([number, z.strictObject({ count: number, env: env.optional() })], {
      error: 'must be a number, or a mapping with `count` and `env`',
    }),
  )
  .describe(
    'Counted resources, such as {gpu: 2, port: {count: 100, env: {PORT: "30{index}"}}}; whoever `uses` some has them to itself',
  )

export const uses = z
  .record(name, number)
  .describe('How many of the `resources` it has to itself while it runs, such as {gpu: 1}')

type ResourcesInput = z.infer<typeof resources>

export function toResources(input: ResourcesInput | undefined): Record<string, Resource> | undefined {
  if (input === undefined) return undefined
  const all = Object.entries(input).map(([key, value]): [string, Resource] => {
    if (typeof value === 'number') return [key, { count: value }]
    const given = Object.entries(value.env ?? {}).map(([variable, text]) => [variable, String(text)])
    return [key, { count: value.count, ...(given.length > 0 ? { env: Object.fromEntries(given) } : {}) }]
  })
  return Object.fromEntries(all)
}

/** It would wait for ever. */
export function checkUses(
  used: Record<string, number> | undefined,
  declared: Record<string, Resource> | undefined,
  path: Path,
  findings: Findings,
): void {
  for (const [key, count] of Object.entries(used ?? {})) {
    const there = declared?.[key]?.count
    const near = () => suggestion(key, Object.keys(declared ?? {}))
    if (there === undefined)
      addError(findings, [...path, key], () => `there is no ${shown(key)} in \`resources\`${near()}`, { at: 'name' })
    else if (count > there)
      addError(findings, [...path, key], `${count} of ${shown(key)} are more than the ${there} there are`)
  }
}
