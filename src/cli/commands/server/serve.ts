import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ok, type Result, refuse } from '../../../problem.ts'
import { builtApp, currentApp } from '../../../reports/built-app.ts'
import type { ServeOptions, Serving } from '../../../server/serve.ts'
import { jsonOutput } from '../../../text/json.ts'
import { openWorkspace } from '../../../workspace/workspace.ts'
import { call, Flag, flag, type Given } from '../../command-line/command.ts'
import { collect, filled, wholeNumber } from '../../command-line/flag-values.ts'
import { EXIT } from '../../exit-status.ts'
import { plansIn } from '../../inputs/find-plans.ts'
import { findRepository, topOfCheckout } from '../../inputs/repository.ts'
import { serverHome } from '../../inputs/settings-layers.ts'
import type { Done } from '../../refusal.ts'
import type { Surroundings } from '../../surroundings.ts'
import { openBrowser } from '../../terminal/write-page.ts'

const SERVING = {
  repo: flag('--repo <dir>', 'a repository, besides those of `espalier projects`; may be repeated', collect),
  port: flag('--port <n>', 'the port; default: 4713, or a free one if it is taken', wholeNumber(0, 65_535)),
}

const FLAGS = {
  ...SERVING,
  host: flag('--host <address>', 'listen beyond this machine; put TLS in front of it', filled('--host')),
  url: flag('--url <url>', 'where a proxy makes it available, such as https://espalier.example.com'),
  allowHost: flag('--allow-host <name>', 'also accept this Host header; may be repeated', collect),
  allowOrigin: flag('--allow-origin <origin>', 'let pages of this origin use it; may be repeated', collect),
  logLevel: new Flag<string>('--log-level <level>', 'what to log on stderr, as JSON')
    .choices(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn'),
  open: flag('--open', 'open the dashboard in a browser, as `espalier ui` does'),
  json: flag('--json', 'print one line {"url", "tokenFile"} once it is ready'),
}

export const commands = {
  ui: call(
    { ...SERVING, open: flag('--no-open', 'only print its address') },
    `
Starts a server for this repository and those of \`espalier projects\`, on this machine only, and opens the dashboard in your
browser, logged in. Runs are processes of their own: they go on when you stop it with Ctrl-C. In a checkout of Espalier the first
call builds the dashboard.

Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it could not start.

Examples:
  espalier ui
  espalier ui --repo ../shop --repo ../api`,
    (here, flags) => serve({ ...flags, app: true }, here),
  ),
  serve: call(
    FLAGS,
    `
Serves REST and WebSocket for the repositories of \`espalier projects\`, those named with --repo, and the
one around this folder. Runs are processes of their own: they go on when the server stops, and it shows runs that were started
in a terminal. Prints a login link for a browser, which works once. Programs send the token of the token file as
\`Authorization: Bearer\`. docs/server.md has every route; so has /api/docs of the server.

It listens on 127.0.0.1 only, unless --host says otherwise: then put a proxy with TLS in front of it.

Exit status: 0 stopped by Ctrl-C or SIGTERM, 2 it could not start.

Examples:
  espalier serve
  espalier serve --repo ../shop --repo ../api --json
  espalier serve --host 0.0.0.0 --url https://espalier.example.com`,
    (here, flags) => serve({ ...flags, app: flags.open ?? false }, here),
  ),
}

/** `app`: serve the web app, too, building it first if necessary. */
type Flags = Given<typeof FLAGS> & { app: boolean }

async function serve(flags: Flags, surroundings: Surroundings): Promise<Done> {
  const repos = reposOf(flags.repo ?? [], surroundings)
  if (!repos.ok) return repos
  if (flags.app) {
    const app = await currentApp((line) => surroundings.err.write(`${line}\n`))
    if (!app.ok) return app
  }
  const url = flags.url === undefined ? ok(null) : publicUrl(flags.url)
  if (!url.ok) return url
  const options: Omit<ServeOptions, 'port'> = {
    version: surroundings.version,
    home: serverHome(surroundings),
    host: flags.host ?? '127.0.0.1',
    repos: repos.value,
    allowHosts: flags.allowHost ?? [],
    allowOrigins: flags.allowOrigin ?? [],
    publicUrl: url.value,
    open: (repo: string) => openProject(repo, surroundings),
    plansIn: (repo: string) => plansOf(repo),
    app: builtApp,
    environment: surroundings.env,
    logLevel: flags.logLevel ?? 'warn',
    log: { write: (text: string) => void surroundings.err.write(text) },
  }
  // Imported late: a web server takes long to load.
  const { serve: startServer } = await import('../../../server/serve.ts')
  // Tries the usual port first, so that the address stays the same.
  const usual = flags.port === undefined ? await startServer({ ...options, port: USUAL_PORT }) : null
  const started = usual?.ok ? usual : await startServer({ ...options, port: flags.port ?? 0 })
  if (!started.ok) return started
  await using serving = started.value
  // Listens for signals before the announcement: its reader may end the server at once.
  const stopped = stopSignal()
  announce(serving, flags, surroundings)
  if (flags.open) await openBrowser(serving.loginLink(), options.home, surroundings)
  await stopped
  return EXIT.done
}

const USUAL_PORT = 4713

function announce(serving: Serving, { json, host }: Flags, { out, err, errPalette }: Surroundings): void {
  const { url, tokenFile } = serving
  if (host !== undefined)
    err.write(
      'warning: whoever reaches this address can try tokens, and without TLS can read them: put a proxy in front\n',
    )
  if (json) {
    out.write(`${jsonOutput({ url, tokenFile })}\n`)
    return
  }
  const lines = [
    `Serving on ${url}`,
    `Log in:    ${serving.loginLink()}`,
    `           works once, for 5 minutes`,
    `Programs:  Authorization: Bearer $(cat ${tokenFile})`,
    errPalette.dim('Ctrl-C stops the server; runs go on.'),
  ]
  out.write(`${lines.join('\n')}\n`)
}

async function stopSignal(): Promise<void> {
  const leaving = new AbortController()
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name, leaving).catch(() => {})))
  leaving.abort()
}

function reposOf(named: readonly string[], { cwd }: Surroundings): Result<string[]> {
  const folders = (named.length > 0 ? named : ['.']).map((repo) => resolve(cwd, repo))
  const tops = folders.map((folder) => (existsSync(folder) ? topOfCheckout(realpathSync(folder)) : null))
  const lost = named.find((_, index) => tops[index] === null)
  if (lost !== undefined) return refuse(`${lost} is not inside a git repository`)
  return ok([...new Set(tops.filter((top) => top !== null))])
}

function publicUrl(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return ok(url.origin)
  return refuse(`--url has to be an address without a path, such as https://espalier.example.com, not ${text}`)
}

async function openProject(repo: string, surroundings: Surroundings) {
  const found = await findRepository(surroundings, { repo })
  if (!found.ok) return found
  const workspace = await openWorkspace(found.value)
  return workspace.ok ? ok({ workspace: workspace.value, settings: found.value.settings }) : workspace
}

async function plansOf(repo: string): Promise<{ file: string; title: string }[]> {
  const found = await plansIn('.', repo, undefined)
  return found.map(({ name, title }) => ({ file: relative('.', name), title }))
}
