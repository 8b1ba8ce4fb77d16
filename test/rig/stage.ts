// Where puppet agents (puppet.mjs) report, and where a test takes their strings.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endTree } from '../../src/process/tree/end-tree.ts'
import { processIdentity } from '../../src/process/tree/identity.ts'
import { until } from './until.ts'

const SCRIPT = fileURLToPath(new URL('puppet.mjs', import.meta.url))

export type Role = 'work' | 'setup' | 'verify'

type Hello = { role: Role; pid: number; cwd: string; env: Record<string, string>; stdin: string }

export class Stage implements AsyncDisposable {
  readonly #server: Server
  readonly #path: string
  readonly #waiting: Puppet[] = []
  /** Everyone who ever came, in the order they came. */
  readonly all: Puppet[] = []

  private constructor(server: Server, path: string) {
    this.#server = server
    this.#path = path
    server.on('connection', (socket) => void this.#enter(socket))
  }

  static async open(folder: string): Promise<Stage> {
    const server = createServer()
    const path = join(folder, 'stage')
    server.listen(path)
    await once(server, 'listening')
    return new Stage(server, path)
  }

  /** The shell command of a puppet. */
  command(role: Role = 'work'): string {
    return `exec '${process.execPath}' '${SCRIPT}' '${this.#path}' ${role}`
  }

  /** The next puppet of this task that nobody has asked for yet. */
  async next(task: string, role: Role = 'work'): Promise<Puppet> {
    return until(`a puppet (${role}) of task ${task}`, () => {
      const at = this.#waiting.findIndex((puppet) => puppet.task === task && puppet.hello.role === role)
      return at < 0 ? null : (this.#waiting.splice(at, 1)[0] ?? null)
    })
  }

  get alive(): string[] {
    return this.all.filter((puppet) => puppet.alive).map((puppet) => puppet.task)
  }

  /** Puppets end with their socket; what they started may not, and is ended here. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const puppet of this.all) puppet.release()
    this.#server.close()
    const tokens = new Set(this.all.map((puppet) => puppet.hello.env.ESPALIER_TOKEN ?? 'none'))
    for (const token of tokens) await endTree({ token, dir: '/nowhere', supervisor: null }, 0)
  }

  async #enter(socket: Socket): Promise<void> {
    socket.on('error', () => {}) // it was killed
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
    const first = await lines.next()
    if (first.done) return
    const puppet = new Puppet(JSON.parse(first.value) as Hello, socket, lines)
    this.all.push(puppet)
    this.#waiting.push(puppet)
  }
}

export class Puppet {
  readonly hello: Hello
  readonly #socket: Socket
  readonly #lines: AsyncIterator<string>

  constructor(hello: Hello, socket: Socket, lines: AsyncIterator<string>) {
    this.hello = hello
    this.#socket = socket
    this.#lines = lines
  }

  get task(): string {
    return this.hello.env.ESPALIER_TASK ?? ''
  }

  get attempt(): number {
    return Number(this.hello.env.ESPALIER_ATTEMPT)
  }

  get alive(): boolean {
    return processIdentity(this.hello.pid) !== null
  }

  async write(path: string, text: string): Promise<void> {
    await this.#do({ deed: 'write', path, text })
  }

  async remove(path: string): Promise<void> {
    await this.#do({ deed: 'remove', path })
  }

  async print(text: string): Promise<void> {
    await this.#do({ deed: 'print', text })
  }

  /** Runs a shell command in its worktree and gives its output. */
  async sh(command: string): Promise<string> {
    return String(await this.#do({ deed: 'sh', command })).trimEnd()
  }

  async ignore(signal: NodeJS.Signals): Promise<void> {
    await this.#do({ deed: 'ignore', signal })
  }

  async obey(signal: NodeJS.Signals): Promise<void> {
    await this.#do({ deed: 'obey', signal })
  }

  /** The number of a child that has left its group and session. */
  async orphan(): Promise<number> {
    return Number(await this.#do({ deed: 'orphan' }))
  }

  async exit(code = 0): Promise<void> {
    await this.#do({ deed: 'exit', code })
  }

  /** Writes one file and is done. */
  async deliver(path: string, text = `${this.task}\n`): Promise<void> {
    await this.write(path, text)
    await this.exit()
  }

  async gone(): Promise<void> {
    await until(`the end of ${this.task}'s puppet`, () => !this.alive)
  }

  release(): void {
    this.#socket.destroy()
  }

  async #do(deed: object): Promise<unknown> {
    this.#socket.write(`${JSON.stringify(deed)}\n`)
    const answer = await this.#lines.next()
    if (answer.done) throw new PuppetGone(`${this.task}'s puppet is gone: ${JSON.stringify(deed)}`)
    const { value, error } = JSON.parse(answer.value) as { value?: unknown; error?: string }
    if (error !== undefined) throw new Error(error)
    return value
  }
}

class PuppetGone extends Error {}

/** For a deed that makes the engine end the puppet: it may be gone before it can answer. */
export async function fatal(deed: Promise<unknown>): Promise<void> {
  await deed.catch((error: unknown) => {
    if (!(error instanceof PuppetGone)) throw error
  })
}
