// Exchanges commits between workers and the engine's repository, which the server opens itself. If coordinators share a repository,
// the server may be on any machine, and commits go through the shared one.
//
// Properties
// - Workers write no refs, and get only the commits that their assignment needs.
import { Readable } from 'node:stream'
import type { AttemptOrder } from '../../attempt/attempt-order.ts'
import type { Assignment } from '../../fleet/fleet-database.ts'
import { FLEET } from '../../fleet/limits.ts'
import { neededCommits } from '../../fleet/orders.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { readPack, writePack } from '../../git/engine/pack.ts'
import { PackChain } from '../../git/engine/packs-for-workers.ts'
import { deliveredRef } from '../../git/engine/ref-names.ts'
import { fetchForWorkers, pushShared } from '../../git/engine/shared-repository.ts'
import { GitFailure, isAncestor } from '../../git/run/git.ts'
import { isDiskTrouble, isShortage } from '../../git/run/machine-trouble.ts'
import { objectInfos } from '../../git/run/read-objects.ts'
import { ok, type Result } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Reply, refusal } from '../resources/refusal.ts'

type Assigned = { workspace: Workspace; assignment: Assignment }

export class WorkerCommits {
  /** Packs of the commits on the branch, by run. */
  readonly #chains = new Map<string, PackChain>()
  /** The job that uploaded a new commit first, by commit. */
  readonly #uploads = new Map<string, string>()
  readonly #engines = new Map<string, Promise<Result<EngineRepository>>>()

  isUploadOf(commit: string, job: string): boolean {
    return this.#uploads.get(commit) === job
  }

  async give(
    { workspace, assignment }: Assigned,
    { want, have }: { want: readonly string[]; have: readonly string[] },
  ): Promise<Reply<AsyncIterable<Uint8Array>>> {
    const { order, run } = assignment
    const named = neededCommits(order)
    if (!want.every((commit) => named.includes(commit)))
      return refusal('refused', 'this assignment does not need these commits')
    const engine = await this.#engine(workspace)
    if (!engine.ok) return engine
    const here = await this.#fetched(engine.value, run, { want, have })
    if (!want.every((commit) => here.has(commit))) return refusal('not-ready', NOT_HERE)
    const known = have.filter((commit) => here.has(commit))
    // Packs of commits on the branch are made once for all workers; others are asked for once.
    const base = order.kind === 'attempt' && order.search === null ? order.base : null
    const isOfBranch = want.length === 1 && want[0] === base
    const parts = isOfBranch && base ? await this.#chainOf(engine.value, run).pack(base, new Set(known)) : null
    if (parts) return ok(Readable.from(parts))
    const { pack, done } = writePack(inEngine(engine.value), { want, have: known })
    return ok(
      (async function* () {
        yield* pack as AsyncIterable<Uint8Array>
        await done
      })(),
    )
  }

  async take(
    { workspace, assignment: { order, job } }: Assigned,
    commit: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Reply<{ taken: true }>> {
    const engine = await this.#engine(workspace)
    if (!engine.ok) return engine
    // The pack lacks the commits that the worker was given, maybe by another server.
    const here = await this.#fetched(engine.value, order.run, { want: neededCommits(order), have: [commit] })
    try {
      await readPack(inEngine(engine.value), bounded(body), engine.value.user.objectFormat)
    } catch (error) {
      if (error instanceof TooLarge) return refusal('too-large', error.message)
      if (!(error instanceof GitFailure) || isOfThisMachine(error)) throw error
      return refusal('refused', `the pack cannot be used: ${error.stderr.trim().split('\n')[0]}`)
    }
    if (!here.has(commit) && (await present(engine.value, [commit])).size > 0 && !this.#uploads.has(commit))
      keepNewest(this.#uploads, commit, job, MOST_UPLOADS)
    const isToBeShared = order.kind === 'attempt' && engine.value.shared !== null
    return isToBeShared ? share(engine.value, order, commit) : ok({ taken: true })
  }

  #chainOf(engine: EngineRepository, run: string): PackChain {
    const key = `${engine.stateDir} ${run}`
    const chain = this.#chains.get(key) ?? new PackChain(engine)
    keepNewest(this.#chains, key, chain, MOST_CHAINS)
    return chain
  }

  /** The commits that are here, after a fetch from the shared repository if a wanted one is missing. */
  async #fetched(
    engine: EngineRepository,
    run: string,
    { want, have }: { want: readonly string[]; have: readonly string[] },
  ): Promise<Set<string>> {
    const here = await present(engine, [...want, ...have])
    if (engine.shared === null || want.every((commit) => here.has(commit))) return here
    await fetchForWorkers(engine, run)
    return present(engine, [...want, ...have])
  }

  /** Opening it is idempotent, also beside the engine of the project. */
  async #engine(workspace: Workspace): Promise<Result<EngineRepository>> {
    const { root } = workspace.folder
    const open = async () => {
      const user = await workspace.user()
      return user.ok ? ok(await openEngineRepository(root, user.value, workspace.engineRepository)) : user
    }
    const opening = this.#engines.get(root) ?? open()
    this.#engines.set(root, opening)
    const opened = await opening.catch((error) => {
      this.#engines.delete(root)
      throw error
    })
    if (!opened.ok) this.#engines.delete(root)
    return opened
  }
}

async function present(engine: EngineRepository, commits: readonly string[]): Promise<Set<string>> {
  const infos = await objectInfos(engine, commits)
  return new Set(commits.filter((commit) => infos.get(commit)?.type === 'commit'))
}

/** Puts a commit into the shared repository for an engine on another machine, which writes the attempt's ref after its checks. */
async function share(engine: EngineRepository, order: AttemptOrder, commit: string): Promise<Reply<{ taken: true }>> {
  const { run, task, attempt, base, resolves } = order
  if (!(await isAncestor(resolves?.onto ?? base, commit, inEngine(engine))))
    return refusal('refused', 'the commit does not descend from what the attempt was given')
  if (await pushShared(engine, { ref: deliveredRef(run, task.id, attempt), to: commit })) return ok({ taken: true })
  throw new Error('the shared repository does not take the commit')
}

function keepNewest<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

const MOST_UPLOADS = 10_000
const MOST_CHAINS = 4
const NOT_HERE =
  'the commits of this assignment are not where the server looks: it needs the state folder of the coordinator, or the same ESPALIER_ENGINE_REPOSITORY'

/** Errors of this machine, such as a full disk or a killed git: the worker sends the pack again. */
function isOfThisMachine(error: GitFailure): boolean {
  return error.code === null || isDiskTrouble(error) || isShortage(error)
}

class TooLarge extends Error {}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > FLEET.packBytes) throw new TooLarge(`a pack may have ${FLEET.packBytes} bytes`)
    yield part
  }
}
