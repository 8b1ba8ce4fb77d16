// The server: it reads views, appends requests and starts engines, and is no engine. Killed at any moment it leaves every run as it
// was.
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { textIn } from '../files/if-there.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { Log, ServerContext } from './context.ts'
import { Commands } from './engines/espalier-process.ts'
import { eventSockets, type Sockets } from './events/socket.ts'
import { isAnyAddress, isLoopback, placesOf } from './guard/allowed-hosts.ts'
import { RunHistories } from './history/followed-run.ts'
import { makeApp } from './http/app.ts'
import { addPages } from './http/pages.ts'
import { SERVER_LIMITS, type ServerLimits } from './limits.ts'
import { watchProjects } from './ops/follow-projects.ts'
import { serverMetrics } from './ops/metrics.ts'
import { readWebhooks, Webhooks } from './ops/webhooks.ts'
import { type OpenProject, ProjectFile, Projects } from './projects/projects.ts'
import { htmlReport } from './recording/html-report.ts'
import { loginUrl } from './resources/server-and-tokens.ts'
import { LoginCodes, TokenFile, tokenOf } from './tokens/token-store.ts'
import { Fleets } from './workers/project-fleets.ts'
import { addWorkerRoutes } from './workers/worker-routes.ts'

export type ServeOptions = {
  version: string
  /** The user's configuration: tokens, projects, plans from requests. */
  home: string
  host: string
  /** 0: any free port. */
  port: number
  repos: readonly string[]
  allowHosts: readonly string[]
  allowOrigins: readonly string[]
  publicUrl: string | null
  open: OpenProject
  plansIn: ServerContext['plansIn']
  /** The folder of the web app; null: not built. */
  app: ServerContext['app']
  environment: NodeJS.ProcessEnv
  logLevel: string
  log: { write(line: string): void }
  limits?: Partial<ServerLimits>
}

export type Serving = AsyncDisposable & {
  url: string
  port: number
  /** A file with the token for programs of this user on this machine. */
  tokenFile: string
  /** Makes a new link each time. */
  loginLink(): string
  context: ServerContext
}

export async function serve(options: ServeOptions): Promise<Result<Serving>> {
  const { host, home, publicUrl } = options
  const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits }
  const webhooks = readWebhooks(join(home, 'webhooks.json'))
  if ('trouble' in webhooks) return refuse(webhooks.trouble)
  const log = makeLog(options)
  const http = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headMs),
  })
  http.maxConnections = limits.connections
  // Early requests wait until everything is ready.
  const ready = Promise.withResolvers<{ answer: ReturnType<typeof getRequestListener>; sockets: Sockets }>()
  http.on('request', (request, response) => {
    void ready.promise.then(({ answer }) => answer(request, response))
  })
  http.on('upgrade', (request, socket, head) => {
    void ready.promise.then(({ sockets }) => sockets.upgrade(request, socket, head))
  })
  const listening = await listen(http, host, options.port)
  if (!listening.ok) return listening
  const port = listening.value
  const url = publicUrl ?? `http://${isAnyAddress(host) || isLoopback(host) ? '127.0.0.1' : host}:${port}`
  const isSecure = url.startsWith('https:')
  const context: ServerContext = {
    version: options.version,
    startedAt: Date.now(),
    url,
    places: placesOf({ ...options, port }),
    cookie: {
      // All ports of a host share its cookies.
      name: isSecure ? '__Host-espalier' : `espalier-${port}`,
      attributes: `HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`,
    },
    tokens: new TokenFile(home),
    codes: new LoginCodes(),
    projects: new Projects({
      file: new ProjectFile(home),
      repos: options.repos,
      open: options.open,
    }),
    commands: new Commands(options.environment),
    histories: new RunHistories(),
    fleets: new Fleets(),
    plansFolder: join(home, 'server', 'plans'),
    environment: options.environment,
    plansIn: options.plansIn,
    htmlReport,
    app: options.app,
    limits,
    log,
  }
  const tokenFile = join(home, 'server', 'token')
  await keepToken(context.tokens, tokenFile)
  const stopping = new AbortController()
  const app = makeApp(context)
  addWorkerRoutes(app, context, stopping.signal)
  const metrics = serverMetrics(context.projects, () => app.streams.count)
  const hooks = new Webhooks(webhooks, join(home, 'server', 'webhooks'), log)
  const watch = watchProjects(context.projects, {
    after: (project) => hooks.after(project),
    take: async (project, entry) => {
      metrics.take(project, entry)
      await hooks.take(project, entry)
    },
  })
  addPages(app, context, { metrics: metrics.text, isStopping: () => stopping.signal.aborted })
  const sockets = eventSockets(context, app)
  ready.resolve({ answer: getRequestListener(app.hono.fetch, LISTENER), sockets })
  log.info({ url }, 'listening')

  return ok({
    url,
    port,
    tokenFile,
    context,
    loginLink: () => loginUrl(context, context.codes.make('admin', Date.now()).code),
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await sockets.close()
      await closed(http, limits.stopMs)
      await watch[Symbol.asyncDispose]()
      await hooks[Symbol.asyncDispose]()
      await context.fleets[Symbol.asyncDispose]()
      await context.projects[Symbol.asyncDispose]()
      log.info({}, 'stopped')
    },
  })
}

const IDLE_MS = 20

const LISTENER = { overrideGlobalObjects: false }

function listen(http: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    http.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(refuse(code === 'EADDRINUSE' ? `port ${port} is taken: choose another with --port` : message)),
    )
    http.listen(port, host, () => resolve(ok((http.address() as AddressInfo).port)))
  })
}

/** Waits for answers under way; streams were ended before. */
async function closed(http: Server, waitMs: number): Promise<void> {
  const done = new Promise<void>((resolve) => http.close(() => resolve()))
  // A connection is idle a moment after its answer.
  const idle = setInterval(() => http.closeIdleConnections(), IDLE_MS)
  http.closeIdleConnections()
  const late = setTimeout(() => http.closeAllConnections(), waitMs)
  await done
  clearInterval(idle)
  clearTimeout(late)
}

/** Keeps a valid token, so programs that read the file work after a restart. */
async function keepToken(tokens: TokenFile, file: string): Promise<void> {
  const known = textIn(file).trim()
  if (known && tokenOf(tokens.tokens(), known, Date.now())?.scope === 'admin') return
  rmSync(file, { force: true })
  const { secret } = await tokens.add({ name: 'this machine', scope: 'admin' })
  await writeAtomically(file, `${secret}\n`)
}

/** Secrets are removed from every entry. */
function makeLog({ logLevel, log }: ServeOptions): Log {
  const secrets = ['authorization', 'cookie', 'secret', 'code', 'token', 'hash']
  const paths = [...secrets, ...secrets.map((name) => `*.${name}`), ...secrets.map((name) => `*.headers.${name}`)]
  return pino({ level: logLevel, base: null, redact: { paths, censor: '[secret]' } }, log)
}
