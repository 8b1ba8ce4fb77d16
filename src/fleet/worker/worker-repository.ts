// The repository of a worker, without a checkout: fetches the commits that an assignment needs from the server, and sends those of
// its attempt, as packs. Joining brings the settings of the user's repository (identity, line endings …), so that commits are the
// same here and there.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptFinished, AttemptOrder } from '../../attempt/attempt-order.ts'
import type { Failure } from '../../event.ts'
import { textIn } from '../../files/if-there.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { presentCommits, readPack, smallPack } from '../../git/engine/pack.ts'
import { git, hasPrintedTooMuch } from '../../git/run/git.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { outcomeOf } from '../../outcome-of-failure.ts'
import { parsedJson } from '../../text/json.ts'
import { FLEET } from '../limits.ts'
import { neededCommits, orderName, type WorkOrder } from '../orders.ts'
import type { Joined } from '../protocol.ts'
import { RefusedByServer, type ServerConnection } from './server-connection.ts'

export class WorkerRepository {
  readonly engine: EngineRepository
  readonly #server: ServerConnection
  readonly #file: string
  /** Commits that are present, the newest first. */
  #known: string[]

  private constructor(engine: EngineRepository, server: ServerConnection, file: string, known: string[]) {
    this.engine = engine
    this.#server = server
    this.#file = file
    this.#known = known
  }

  static async open(root: string, server: ServerConnection, { repository }: Joined): Promise<WorkerRepository> {
    const top = join(root, 'checkout')
    const gitDir = join(top, '.git')
    await mkdir(top, { recursive: true })
    const format = [`--object-format=${repository.objectFormat}`, '--initial-branch=none']
    await git(['init', '-q', ...format, top], { cwd: root })
    const user: UserRepository = {
      ...{ top, gitDir, commonDir: gitDir, objectsDir: join(gitDir, 'objects') },
      ...{ shallow: false, bare: false, headBranch: null, head: '', hooks: null, submodules: false, sparse: false },
      ...repository,
      checkout: repository.checkout as UserRepository['checkout'],
      warnings: [],
    }
    const engine = await openEngineRepository(root, user)
    const file = join(root, 'known.json')
    return new WorkerRepository(engine, server, file, await presentCommits(inEngine(engine), notedIn(file)))
  }

  /** Fetches the commits of an order. `say` prints the reason for waiting, once. */
  async fetchFor(job: string, order: WorkOrder, { say, signal }: { say(line: string): void; signal: AbortSignal }) {
    let isSaid = false
    await this.#server.persist(async () => {
      try {
        await this.#fetch(job, order)
      } catch (error) {
        const isWaiting = error instanceof RefusedByServer && error.reason === 'not-ready'
        if (isWaiting && !isSaid) say(`${orderName(order)} waits: ${error.message}`)
        isSaid ||= isWaiting
        throw error
      }
    }, signal)
  }

  /** Present commits are remembered: asking git takes longer than receiving a commit twice. */
  async #fetch(job: string, order: WorkOrder): Promise<void> {
    const want = neededCommits(order).filter((commit) => !this.#known.includes(commit))
    if (want.length === 0) return
    const pack = await this.#server.fetchPack('objects', { job, want, have: this.#known })
    await readPack(inEngine(this.engine), pack, this.engine.user.objectFormat)
    this.#known = [...new Set([...want, ...this.#known])].slice(0, FLEET.haveCommits)
    // Not awaited: if it is lost, only more is sent.
    void writeAtomically(this.#file, JSON.stringify(this.#known)).catch(() => {})
  }

  /** Sends the commits of an attempt. If the server refuses them, the returned fact reports only the cost. */
  async send(job: string, order: AttemptOrder, fact: AttemptFinished, signal: AbortSignal): Promise<AttemptFinished> {
    const { commit } = fact
    if (commit === null || commit === order.base) return fact
    const { base, interrupted, resolves } = order
    const have = [base, interrupted?.commit, resolves?.commit, resolves?.onto].filter((one) => one != null)
    try {
      const pack = await smallPack(inEngine(this.engine), { want: commit, have, maxBytes: FLEET.packBytes })
      await this.#server.persist(() => this.#server.sendPack('pack', { job, commit }, pack), signal)
      return fact
    } catch (error) {
      if (hasPrintedTooMuch(error)) return notTaken(fact, `it is larger than ${FLEET.packBytes} bytes`)
      if (error instanceof RefusedByServer) return notTaken(fact, error.message)
      throw error
    }
  }
}

function notTaken(fact: AttemptFinished, why: string): AttemptFinished {
  const failure: Failure = { reason: 'worker-lost', message: `its work was not taken: ${why}` }
  return { ...fact, outcome: outcomeOf(failure), failure, commit: null, diff: null }
}

function notedIn(file: string): string[] {
  const noted = parsedJson(textIn(file))
  return Array.isArray(noted) ? noted.filter((one) => typeof one === 'string').slice(0, FLEET.haveCommits) : []
}
