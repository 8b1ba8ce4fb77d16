// The table of routes for readers: as an OpenAPI 3.1 document, whose schemas zod writes as JSON Schema, and as a page for people
// without scripts or external files.
import * as z from 'zod'
import { html } from '../../reports/escape.ts'
import { eventsInput } from '../events/request.ts'
import { REFUSAL_TYPE, REFUSALS, refusalSchema } from '../resources/refusal.ts'
import { isText, type RouteShape } from '../resources/route.ts'
import { EVENTS_PATH, PATHS, pathOf, type RouteName } from '../resources/route-paths.ts'
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

export function docsPage(version: string): string {
  const groups = Map.groupBy(Object.keys(PATHS) as RouteName[], (name) => name.split('.')[0] as string)
  const sections = [...groups].map(([group, names]) => `<h2>${html(group)}</h2>${names.map(routeHtml).join('')}`)
  const refusals = Object.entries(REFUSALS).map(
    ([reason, status]) => `<tr><td><code>${html(reason)}</code></td><td>${status}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Espalier API</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<h1>Espalier API</h1>
<p>Version ${html(version)}. Send <code>Authorization: Bearer TOKEN</code>. <a href="/api/openapi.json">OpenAPI 3.1</a>.
Events: <code>GET ${EVENTS_PATH}</code>, a WebSocket.</p>
${sections.join('\n')}
<h2>Refusals</h2><p><code>application/problem+json</code> with a <code>reason</code>:</p>
<table>${refusals.join('')}</table></body></html>`
}

function routeHtml(name: RouteName): string {
  const route: RouteShape = ROUTES[name]
  const { method, path, params } = pathOf(name)
  const takes = Object.keys(route.input.shape).filter((key) => !params.includes(key))
  const where = hasBody(method) ? 'JSON' : 'query'
  const gives = isText(route.answer) ? route.answer.join(', ') : 'application/json'
  const rows = [
    takes.length > 0 ? `<dt>${where}</dt><dd>${takes.map((key) => `<code>${html(key)}</code>`).join(' ')}</dd>` : '',
    `<dt>gives</dt><dd>${html(gives)}</dd>`,
    `<dt>scope</dt><dd>${html(route.scope)}</dd>`,
  ]
  return `<section><h3><code>${method} ${html(path)}</code></h3><p>${html(route.summary)}</p><dl>${rows.join('')}</dl></section>`
}

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'section{border-top:1px solid #8884;padding:.5rem 0}h3{font-size:1rem;margin:.2rem 0}p{margin:.2rem 0}' +
  'dl{display:grid;grid-template-columns:5rem 1fr;margin:.2rem 0}dd{margin:0}code{overflow-wrap:anywhere}'
