// A server, a database and workers as real processes on one machine, each worker with a token, a home and a folder of its own.
import type { ChildProcess } from 'node:child_process'
import { DEFAULT_SETTINGS, resolveSettings } from '../../src/config.ts'
import { ok } from '../../src/problem.ts'
import { type Serving, serve } from '../../src/server/serve.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { startEspalier } from '../rig/espalier.ts'
import { Program } from '../rig/program.ts'
import { type Folder, makeRepository, type TestRepository, temporaryFolder } from '../rig/repository.ts'

export class FleetRig implements AsyncDisposable {
  readonly repository: TestRepository
  readonly url: string
  readonly home: Folder
  serving: Serving
  readonly #processes: Program[] = []

  private constructor(repository: TestRepository, url: string, home: Folder, serving: Serving) {
    this.repository = repository
    this.url = url
    this.home = home
    this.serving = serving
  }

  static async open(url: string, plan: string, files: Record<string, string> = {}): Promise<FleetRig> {
    return FleetRig.on(url, await makeRepository({ files: { 'plan.yaml': plan, 'file.txt': 'one\n', ...files } }))
  }

  /** A repository that has a plan.yaml; it goes with the rig. */
  static async on(url: string, repository: TestRepository): Promise<FleetRig> {
    const home = await temporaryFolder()
    return new FleetRig(repository, url, home, await serveAt(repository.top, url, home.path))
  }

  /** `args`: besides the server, the name and the folder. */
  async worker(name: string, ...args: string[]): Promise<Program> {
    const { secret } = await this.serving.context.tokens.add({ name, scope: 'worker' })
    return this.start(name, secret, args)
  }

  start(name: string, token: string, args: string[]): Program {
    const place = ['--server', this.serving.url, '--token', token, '--name', name, '--state-dir', this.home.at(name)]
    return this.#started(startEspalier(this.home.path, ['worker', ...place, ...args]), token)
  }

  run(...args: string[]): Program {
    return this.command('run', 'plan.yaml', ...args)
  }

  command(...args: string[]): Program {
    return this.#started(startEspalier(this.repository.top, [...args, '--store', this.url]), '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#processes) await one.kill()
    await this.serving[Symbol.asyncDispose]()
    await this.home[Symbol.asyncDispose]()
    await this.repository[Symbol.asyncDispose]()
  }

  #started(child: ChildProcess, token: string): Program {
    const program = new Program(child, token)
    this.#processes.push(program)
    return program
  }
}

/** `engineRepository`: that coordinators share. */
export async function serveAt(
  top: string,
  url: string,
  home: string,
  engineRepository: string | null = null,
): Promise<Serving> {
  const { settings } = resolveSettings([{ from: 'run', settings: { ...DEFAULT_SETTINGS, store: url } }])
  const serving = await serve({
    ...{ version: '0.0.0-test', home, host: '127.0.0.1', port: 0, repos: [top] },
    ...{ allowHosts: [], allowOrigins: [], publicUrl: null, environment: process.env, logLevel: 'silent' },
    open: async (repo) => {
      const opened = await openWorkspace({ repo, store: url, engineRepository })
      return opened.ok ? ok({ workspace: opened.value, settings }) : opened
    },
    plansIn: async () => [],
    app: () => null,
    log: { write: () => {} },
  })
  if (!serving.ok) throw new Error(JSON.stringify(serving.problems))
  return serving.value
}
