// The table of routes as a page for people: no script, nothing from elsewhere.
import { html } from '../../reports/escape.ts'
import { EVENTS_PATH, PATHS, pathOf, type RouteName } from '../resources/paths.ts'
import { REFUSALS } from '../resources/refusal.ts'
import { isText, type RouteShape } from '../resources/route.ts'
import { ROUTES } from '../resources/routes.ts'
import { hasBody } from './input.ts'

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
