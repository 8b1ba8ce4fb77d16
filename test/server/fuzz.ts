// Requests made from the OpenAPI document that the server publishes: right ones, nearly right ones and wrong ones. Whatever
// comes, the server answers without an error of its own, and what it gives fits the schema of the route.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type * as z from 'zod'
import { isText } from '../../src/server/resources/route.ts'
import type { RouteName } from '../../src/server/resources/route-paths.ts'
import { ROUTES } from '../../src/server/resources/routes.ts'
import type { ServerRig } from './server-rig.ts'

/** As much of JSON Schema as the document uses. */
export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  maxItems?: number
  minItems?: number
}
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
export type OpenApi = { paths: Record<string, Record<string, Operation>> }

/** What is there, so that most requests get further than "there is no such run". */
export type Known = Record<'project' | 'run' | 'task', string>

/** Each starts a process: fewer of them are sent. */
const SLOW = /^(plans\.(?!list)|parallel(Test)?\.start|(runs|suites|searches)\.(start|resume|retry))/

export async function fuzz(
  rig: ServerRig,
  known: Known,
  { requests, seed }: { requests: number; seed: number },
): Promise<Map<number, number>> {
  const { body } = await rig.ask('GET', '/api/openapi.json')
  const all = operationsOf(JSON.parse(body) as OpenApi).filter(({ operation }) => operation.operationId !== 'events')
  const isSlow = ({ operation }: Route) => SLOW.test(operation.operationId)
  const chosen = fc.oneof(
    { weight: 300, arbitrary: fc.constantFrom(...all.filter((one) => !isSlow(one))) },
    { weight: 1, arbitrary: fc.constantFrom(...all.filter(isSlow)) },
  )
  const request = chosen.chain((route) => callOf(route, known).map((call) => ({ route, call })))
  const statuses = new Map<number, number>()
  const waiting = fc.sample(request, { numRuns: requests, seed })
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const status = await send(rig, next.route, next.call)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return statuses
}

const AT_ONCE = 6

type Route = { method: string; path: string; operation: Operation }
type Call = { params: Record<string, unknown>; body: unknown }

export function operationsOf({ paths }: OpenApi): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

async function send(rig: ServerRig, { method, path, operation }: Route, call: Call): Promise<number> {
  const words = operation.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? []
  const target = path.replaceAll(
    /\{(\w+)\}/g,
    (_, word: string) => encodeURIComponent(textOf(call.params[word])) || '-',
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(call.params))
    if (!words.includes(name)) for (const one of [value].flat()) query.append(name.toWellFormed(), textOf(one))
  if (query.get('follow') === 'true') return 0 // it would go on for as long as the task does
  const body = operation.requestBody ? JSON.stringify(call.body) : undefined
  const answer = await rig.ask(method, `${target}?${query}`, body === undefined ? {} : { body })
  const said = () => `${method} ${target}?${query} ${body ?? ''}: ${answer.status} ${answer.body.slice(0, 500)}`
  assert.ok(answer.status < 500 || answer.status === 503, said())
  const shape = ROUTES[operation.operationId as RouteName].answer
  if (answer.status < 300 && !isText(shape)) {
    const read = (shape as z.ZodType).safeParse(JSON.parse(answer.body))
    assert.ok(read.success, `${said()} ${read.error?.message}`)
  }
  return answer.status
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
}

function callOf({ operation }: Route, known: Known): fc.Arbitrary<Call> {
  const words = operation.parameters ?? []
  const named = (list: readonly Parameter[]) => Object.fromEntries(list.map((one) => [one.name, one.schema]))
  const needed = (list: readonly Parameter[]) => list.filter(({ required }) => required).map(({ name }) => name)
  const body = operation.requestBody?.content['application/json'].schema
  return fc.record({
    params: fields(named(words), needed(words), known),
    body: body?.properties ? fields(body.properties, body.required ?? [], known) : fc.constant({}),
  })
}

/** Now and then one of them is of another kind, one is missing that is needed, or there is one that nobody knows. */
function fields(
  schemas: Record<string, Schema>,
  needed: string[],
  known: Known,
): fc.Arbitrary<Record<string, unknown>> {
  const all = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const right = rightValue(name, schema, known)
      return [name, fc.oneof({ weight: 19, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })]
    }),
  )
  const whole = fc.record(all, { requiredKeys: needed })
  const partial = fc.record(all, { requiredKeys: [] })
  const noisy = fc
    .tuple(whole, fc.string(), fc.jsonValue())
    .map(([given, name, noise]) => ({ ...given, [name]: noise }))
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: partial },
    { weight: 1, arbitrary: noisy },
  ) as fc.Arbitrary<Record<string, unknown>>
}

function rightValue(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  // A shell runs them.
  if (name === 'command') return fc.constantFrom('true', 'false', 'exit 3')
  const right = madeFrom(schema)
  if (!(name in known)) return right
  return fc.oneof({ weight: 9, arbitrary: fc.constant(known[name as keyof Known]) }, { weight: 1, arbitrary: right })
}

export function madeFrom(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return fc.oneof(...choices.map(madeFrom))
  switch (schema.type) {
    case 'string':
      return textLike(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(-(2 ** 31), schema.minimum ?? -5),
        max: Math.min(2 ** 31, schema.maximum ?? 50),
      })
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(madeFrom(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(4, schema.minItems ?? 0),
      })
    case 'object': {
      const { properties = {}, required = [] } = schema
      const all = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, madeFrom(inner)]))
      return fc.record(all, { requiredKeys: required })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const HOSTILE = [
  'a',
  '../x',
  '-x',
  '--help',
  '$(id)',
  '0',
  'espalier.yaml',
  '/etc/passwd',
  'a\0b',
  '\u202e',
  '{}',
  "'; --",
]

function textLike({ pattern, maxLength = 50 }: Schema): fc.Arbitrary<string> {
  const most = Math.min(maxLength, 50)
  const any = fc.oneof(
    fc.string({ maxLength: most }),
    fc.string({ unit: 'binary', maxLength: Math.min(most, 20) }),
    fc.constantFrom(...HOSTILE),
  )
  if (pattern === undefined) return any
  return fc.oneof({ weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern)) }, { weight: 1, arbitrary: any })
}
