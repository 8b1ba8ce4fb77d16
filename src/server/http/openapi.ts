// The table of routes as an OpenAPI 3.1 document. Its schemas are JSON Schema, which is what zod writes by itself.
import * as z from 'zod'
import { eventsInput } from '../events/request.ts'
import { EVENTS_PATH, PATHS, pathOf, type RouteName } from '../resources/paths.ts'
import { REFUSAL_TYPE, refusalSchema } from '../resources/refusal.ts'
import { isText, type RouteShape } from '../resources/route.ts'
import { ROUTES } from '../resources/routes.ts'
import { hasBody } from './input.ts'

type Json = Record<string, unknown>

export function openApiDocument(version: string, url: string): Json {
  const paths: Record<string, Json> = {}
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const { method, path } = pathOf(name)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) }
  }
  paths[EVENTS_PATH] = { get: eventsOperation() }
  return {
    openapi: '3.1.0',
    info: { title: 'Espalier', version, description: 'Runs of many coding agents on one git repository.' },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: schemaOf(refusalSchema, 'output') },
      responses: {
        Refusal: {
          description: 'Refused: `reason` says why, for programs; `detail` and `problems` for people',
          content: { [REFUSAL_TYPE]: { schema: { $ref: '#/components/schemas/Refusal' } } },
        },
      },
    },
  }
}

function operation(name: RouteName): Json {
  const route: RouteShape = ROUTES[name]
  const { method, params } = pathOf(name)
  const inQuery = hasBody(method) ? [] : Object.keys(route.input.shape).filter((key) => !params.includes(key))
  const body = hasBody(method) ? bodyOf(route, params) : {}
  return {
    operationId: name,
    summary: route.summary,
    tags: [name.split('.')[0]],
    ...(route.scope === 'public' ? { security: [] } : { description: `Needs the scope \`${route.scope}\`.` }),
    parameters: [
      ...params.map((key) => parameter(route, key, 'path')),
      ...inQuery.map((key) => parameter(route, key, 'query')),
    ],
    ...body,
    responses: { [route.status ?? 200]: answerOf(route), default: { $ref: '#/components/responses/Refusal' } },
  }
}

function parameter({ input }: RouteShape, name: string, place: 'path' | 'query'): Json {
  const field = input.shape[name] as z.ZodType
  const { description, ...schema } = schemaOf(field, 'input')
  const required = place === 'path' || !field.safeParse(undefined).success
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema }
}

function bodyOf({ input }: RouteShape, params: readonly string[]): Json {
  const rest = Object.entries(input.shape).filter(([key]) => !params.includes(key))
  const schema = schemaOf(z.strictObject(Object.fromEntries(rest) as z.ZodRawShape), 'input')
  const isNeeded = rest.some(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
  return { requestBody: { required: isNeeded, content: { 'application/json': { schema } } } }
}

function answerOf({ answer, summary }: RouteShape): Json {
  const content = isText(answer)
    ? Object.fromEntries(answer.map((type) => [type, { schema: { type: 'string' } }]))
    : { 'application/json': { schema: schemaOf(answer, 'output') } }
  return { description: summary, content }
}

function eventsOperation(): Json {
  const route: RouteShape = { scope: 'read', summary: '', input: eventsInput, answer: [] }
  return {
    operationId: 'events',
    summary: 'Events: what was missed, then live, as a WebSocket',
    tags: ['events'],
    parameters: Object.keys(eventsInput.shape).map((key) => parameter(route, key, 'query')),
    responses: {
      101: { description: 'A WebSocket with a message of JSON for each event' },
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json
  return rest
}
