// The files of the web app. They contain nobody's work, so they need no token. Their names are read from the folder; no path
// comes from a request.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ServerContext } from '../context.ts'
import { admit } from '../guard/guard.ts'
import type { App } from './app.ts'
import { respondRefusal, SAFE_HEADERS } from './respond.ts'

/** `missing`: the page that is shown until the app is built. */
export function addAppFiles({ hono, rates }: App, context: ServerContext, missing: string): void {
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
      const headers = { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PLAIN }
      return new Response(missing, { headers })
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

const PLAIN =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** No inline scripts, no other sites. */
const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
