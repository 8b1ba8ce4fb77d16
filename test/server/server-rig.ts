// A real server on a real repository, in this process. What it starts are real processes of the command line.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { ok } from '../../src/problem.ts'
import { type Client, connect } from '../../src/server/client/connect.ts'
import type { ServerLimits } from '../../src/server/limits.ts'
import { type ServeOptions, type Serving, serve } from '../../src/server/serve.ts'
import type { Scope } from '../../src/server/tokens/token-store.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { type Folder, makeRepository, type TestRepository, temporaryFolder } from '../rig/repository.ts'

export type Answered = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

export class ServerRig implements AsyncDisposable {
  readonly repository: TestRepository
  readonly home: Folder
  readonly #options: ServeOptions
  readonly #ownsRepository: boolean
  /** What it has logged. */
  readonly logged: string[]
  serving: Serving

  private constructor(
    repository: TestRepository,
    home: Folder,
    options: ServeOptions,
    started: { serving: Serving; logged: string[]; ownsRepository: boolean },
  ) {
    this.repository = repository
    this.home = home
    this.#options = options
    this.serving = started.serving
    this.logged = started.logged
    this.#ownsRepository = started.ownsRepository
  }

  /** `repository`: one that the test has already; it is left for the test to remove. */
  static async open(
    options: Partial<ServeOptions> & { limits?: Partial<ServerLimits>; repository?: TestRepository } = {},
  ): Promise<ServerRig> {
    const { repository: given, ...more } = options
    const repository = given ?? (await makeRepository())
    const home = await temporaryFolder()
    const logged: string[] = []
    const all: ServeOptions = {
      version: '0.0.0-test',
      home: home.path,
      host: '127.0.0.1',
      port: 0,
      repos: [repository.top],
      allowHosts: [],
      allowOrigins: [],
      publicUrl: null,
      open: async (repo) => {
        const opened = await openWorkspace({ repo })
        return opened.ok ? ok({ workspace: opened.value, settings: DEFAULT_SETTINGS }) : opened
      },
      plansIn: async () => [],
      app: () => null,
      environment: { ...process.env, XDG_CONFIG_HOME: home.at('config') },
      logLevel: 'debug',
      log: { write: (line) => void logged.push(line) },
      ...more,
    }
    const started = await serve(all)
    assert.ok(started.ok, JSON.stringify(started))
    const ownsRepository = given === undefined
    return new ServerRig(repository, home, all, { serving: started.value, logged, ownsRepository })
  }

  get url(): string {
    return this.serving.url
  }

  get port(): number {
    return this.serving.port
  }

  /** Of the scope admin. */
  get token(): string {
    return readFileSync(this.serving.tokenFile, 'utf8').trim()
  }

  get client(): Client {
    return connect({ url: this.url, token: this.token })
  }

  async tokenOf(scope: Scope): Promise<string> {
    return (await this.serving.context.tokens.add({ name: `for ${scope}`, scope })).secret
  }

  /** One that stopped, or was killed, comes back: on another port, with the same tokens. */
  async restart(): Promise<void> {
    await this.serving[Symbol.asyncDispose]()
    const started = await serve(this.#options)
    assert.ok(started.ok, JSON.stringify(started))
    this.serving = started.value
  }

  /** With any head, which `fetch` does not let one choose. */
  ask(
    method: string,
    path: string,
    { token, headers = {}, body }: { token?: string | null; headers?: OutgoingHttpHeaders; body?: string } = {},
  ): Promise<Answered> {
    const given = token === null ? {} : { authorization: `Bearer ${token ?? this.token}` }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port: this.port, agent: false, method, path, headers: { ...given, ...type, ...headers } },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString(),
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  }

  /** Bytes as they are, and all that comes back until the server closes. */
  raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connectSocket(this.port, '127.0.0.1', () => socket.write(text))
      let said = ''
      socket.on('data', (data) => {
        said += data.toString('latin1')
      })
      socket.on('error', () => resolve(said))
      socket.on('close', () => resolve(said))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.serving[Symbol.asyncDispose]()
    await this.home[Symbol.asyncDispose]()
    if (this.#ownsRepository) await this.repository[Symbol.asyncDispose]()
  }
}

export function reasonOf({ body }: Answered): string {
  return (JSON.parse(body) as { reason: string }).reason
}
