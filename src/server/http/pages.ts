// Pages besides the routes of the table: the web app, the login page, OpenAPI and docs, and probes and metrics for operators.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ServerContext } from '../context.ts'
import { admit } from '../guard/guard.ts'
import { type Refusal, refusal } from '../resources/refusal.ts'
import type { App } from './app.ts'
import { docsPage, openApiDocument } from './openapi.ts'
import { respondRefusal, SAFE_HEADERS } from './respond.ts'

export function addPages(
  app: App,
  context: ServerContext,
  ops: { metrics(): Promise<string>; isStopping(): boolean },
): void {
  addAppFiles(app, context)
  const { hono, rates } = app
  const { version, url } = context
  let openApi = ''
  const pages: Record<
    string,
    { type: string; scope: 'public' | 'read'; body: () => string | Promise<string> | Refusal; policy?: string }
  > = {
    '/login': { type: 'text/html', scope: 'public', body: () => LOGIN_PAGE, policy: LOGIN_POLICY },
    '/login.js': { type: 'text/javascript', scope: 'public', body: () => LOGIN_SCRIPT },
    '/api/docs': { type: 'text/html', scope: 'read', body: () => docsPage(version), policy: PAGE_POLICY },
    '/api/openapi.json': {
      type: 'application/json',
      scope: 'read',
      body: () => {
        openApi ||= JSON.stringify(openApiDocument(version, url))
        return openApi
      },
    },
    '/metrics': { type: 'text/plain; version=0.0.4', scope: 'read', body: () => ops.metrics() },
    '/healthz': { type: 'text/plain', scope: 'public', body: () => 'ok\n' },
    '/readyz': { type: 'text/plain', scope: 'public', body: () => readiness(context, ops.isStopping()) },
  }
  for (const [path, { type, scope, body, policy }] of Object.entries(pages))
    hono.get(path, async (c) => {
      const entry = admit(c.env.incoming, { scope, needsOrigin: false }, context, rates)
      if (!entry.ok) return respondRefusal(entry)
      const made = await body()
      if (typeof made !== 'string') return respondRefusal(made)
      const headers = { ...SAFE_HEADERS, ...(policy ? { 'content-security-policy': policy } : {}) }
      return new Response(made, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } })
    })
}

function readiness({ projects, tokens }: ServerContext, isStopping: boolean): string | Refusal {
  if (isStopping) return refusal('not-ready', 'the server stops')
  const listed = projects.list()
  if (!listed.ok) return refusal('not-ready', 'the list of projects cannot be read')
  tokens.tokens()
  return 'ready\n'
}

/**
 * The files of the web app. They contain no data of users, so they need no token. Their names are read from the folder: no path
 * comes from a request.
 */
function addAppFiles({ hono, rates }: App, context: ServerContext): void {
  let read: { at: number; files: Map<string, File> } | null = null
  /** Cached until the app is built again. */
  const files = (): Map<string, File> | null => {
    const folder = context.app()
    const at = folder === null ? null : changedAt(join(folder, 'index.html'))
    if (folder === null || at === null) return null
    if (read?.at !== at) read = { at, files: readFiles(folder) }
    return read.files
  }
  for (const path of ['/', '/icon.svg', '/assets/:name'])
    hono.get(path, (c, next) => {
      const entry = admit(c.env.incoming, { scope: 'public', needsOrigin: false, isPage: true }, context, rates)
      if (!entry.ok) return respondRefusal(entry)
      const known = files()
      const file = known?.get(c.req.path)
      if (file) return new Response(file.body, { headers: { ...SAFE_HEADERS, ...file.headers } })
      if (c.req.path !== '/') return next()
      const headers = {
        ...SAFE_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_POLICY,
      }
      return new Response(HOME_PAGE, { headers })
    })
}

type File = { body: Buffer<ArrayBuffer>; headers: Record<string, string> }

function readFiles(folder: string): Map<string, File> {
  const assets = existsSync(join(folder, 'assets')) ? readdirSync(join(folder, 'assets')) : []
  const names = ['index.html', 'icon.svg', ...assets.map((name) => `assets/${name}`)]
  return new Map(
    names.map((name) => {
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      const path = name === 'index.html' ? '/' : `/${name}`
      // Names of assets contain a hash of their content.
      const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      const policy = { 'content-security-policy': APP_POLICY }
      return [
        path,
        {
          body: readFileSync(join(folder, name)),
          headers: { 'content-type': type, 'cache-control': cache, ...policy },
        },
      ]
    }),
  )
}

function changedAt(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Shown until the app is built. */
const HOME_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Espalier</title>
<meta name="viewport" content="width=device-width"></head><body><h1>Espalier</h1>
<p>The server runs. The dashboard is not built yet: <code>espalier ui</code> builds it once.
<a href="/api/docs">All routes</a>, once this browser is logged in: <code>espalier tokens login</code> prints a link.</p>
</body></html>`

// The login page. The code is behind the `#` of its address, which browsers send to no server: the page posts it, gets the
// cookie, and removes it from the address.
const LOGIN_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Espalier</title>
<meta name="viewport" content="width=device-width"><script type="module" src="/login.js"></script></head>
<body><h1>Espalier</h1><p id="said" role="status">Logging in …</p>
<noscript>This page needs JavaScript to log in. Programs send <code>Authorization: Bearer</code>.</noscript></body></html>`

const LOGIN_SCRIPT = `const code = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const say = (text) => { document.getElementById('said').textContent = text }
if (code === '') say('Open the link that \`espalier serve\` printed, or make another: espalier tokens login')
else {
  const answer = await fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null)
  if (answer?.ok) location.replace('/')
  else say(answer ? (await answer.json()).detail : 'The server does not answer.')
}
`

const LOGIN_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** No inline scripts, no other sites. */
const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
