// What workers ask of the server. It keeps nothing that another could not do without: who is there and what each has to do stands in Postgres, objects go into the
// engine's repository, output into the state folder, and what is to be decided goes to the engine as a request. Where coordinators
// share a repository, the server may be on any machine: commits go there, and output waits in Postgres for whoever leads.
//
// Properties
// - A worker speaks only for itself: its name belongs to the token it joined with.
// - Objects and output are taken only for an assignment that is this worker's now. A result is passed on in any case: the engine
//   refuses what comes too late, and counts what it cost.
// - No worker writes a ref. Paths are made here, of checked names.

import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import type * as z from 'zod'
import type { AttemptOrder } from '../../attempt/attempt-order.ts'
import { LIMITS } from '../../config.ts'
import { answerHere } from '../../engine/requests/agent-tool-calls.ts'
import type { Assignment, Assignments } from '../../fleet/assignments.ts'
import { FLEET } from '../../fleet/limits.ts'
import { isResultOf, neededCommits, orderFolder } from '../../fleet/orders.ts'
import type * as protocol from '../../fleet/protocol.ts'
import type { Joined, Next } from '../../fleet/protocol.ts'
import { writeOutput } from '../../fleet/write-output.ts'
import { readPack, writePack } from '../../git/engine/pack.ts'
import { PackChain } from '../../git/engine/pack-chain.ts'
import { deliveredRef } from '../../git/engine/refs.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/repository.ts'
import { fetchForWorkers, pushShared } from '../../git/engine/shared.ts'
import { isDiskTrouble } from '../../git/run/disk-trouble.ts'
import { GitFailure, git } from '../../git/run/git.ts'
import { isShortage } from '../../git/run/machine-trouble.ts'
import { objectInfos } from '../../git/run/read-objects.ts'
import { ok, type Result } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import type { Project } from '../projects/projects.ts'
import { type Refusal, refusal, refusedBy } from '../routes/reply.ts'
import type { Token } from '../tokens/token.ts'

type Said<S extends z.ZodType> = z.infer<S>
type Named = { name: string; project: string }

export class WorkerDesk {
  readonly #context: ServerContext
  /** By run. */
  readonly #chains = new Map<string, PackChain>()
  /** Commits that came and were not here before, with their assignment. */
  readonly #brought = new Map<string, string>()
  readonly #engines = new Map<string, Promise<Result<EngineRepository>>>()

  constructor(context: ServerContext) {
    this.#context = context
  }

  async join(join: protocol.Join, token: Token): Promise<Joined | Refusal> {
    const project = await this.#project(join.project)
    if ('kind' in project) return project
    const fleet = await this.#context.fleets.of(project)
    if (!fleet.ok) return refusedBy(fleet.problems)
    const user = await project.workspace.user()
    if (!user.ok) return refusedBy(user.problems)
    if (!(await fleet.value.join(join, token.id)))
      return refusal('refused', `another worker is there as ${join.name}, with another token: choose another --name`)
    const { objectFormat, identity, signsOff, checkout, excludes } = user.value
    return {
      ...{ project: project.id, heartbeatMs: FLEET.heartbeatMs, leaseMs: FLEET.leaseMs, now: Date.now() },
      version: this.#context.version,
      repository: { objectFormat, identity, signsOff, checkout: { ...checkout }, excludes },
    }
  }

  async beat(said: Said<typeof protocol.beatSchema>, token: Token): Promise<protocol.Beat | Refusal> {
    const caller = await this.#as(said, token)
    return 'kind' in caller ? caller : { over: await caller.fleet.beat(said, said.jobs) }
  }

  /** Held open until there is something for it. */
  async next(said: Said<typeof protocol.nextSchema>, token: Token, signal: AbortSignal): Promise<Next | Refusal> {
    const caller = await this.#as(said, token)
    if ('kind' in caller) return caller
    const has = new Set(said.jobs)
    const end = performance.now() + (said.isFirst ? 0 : FLEET.pollMs)
    for (;;) {
      const [taken, messages] = await Promise.all([
        caller.fleet.take(said.name, has),
        caller.fleet.messages(said.name, said.heard),
      ])
      const orders = taken.map(({ job, order }) => ({ job, order }))
      const leftMs = end - performance.now()
      if (orders.length + messages.length > 0 || leftMs <= 0 || signal.aborted) return { orders, messages }
      await caller.fleet.woken(said.name, Math.min(leftMs, FLEET.lookAgainMs), signal)
    }
  }

  /** What the worker lacks for this assignment, and nothing else of the repository. */
  async objects(said: Said<typeof protocol.fetchSchema>, token: Token): Promise<AsyncIterable<Uint8Array> | Refusal> {
    const assigned = await this.#assignment(said, token)
    if ('kind' in assigned) return assigned
    const named = neededCommits(assigned.assignment.order)
    if (!said.want.every((commit) => named.includes(commit)))
      return refusal('refused', 'this assignment does not need these commits')
    const engine = await this.#engine(assigned.project)
    if (!engine.ok) return refusedBy(engine.problems)
    const here = await this.#fetched(engine.value, assigned.assignment.run, said)
    if (!said.want.every((commit) => here.has(commit))) return refusal('not-ready', NOT_HERE)
    const have = said.have.filter((commit) => here.has(commit))
    const { order, run } = assigned.assignment
    // Only what is on the branch: the rest is asked for once.
    const base = order.kind === 'attempt' && order.search === null ? order.base : null
    const isOfBranch = said.want.length === 1 && said.want[0] === base
    const parts = isOfBranch && base ? await this.#chainOf(engine.value, run).pack(base, new Set(have)) : null
    if (parts) return Readable.from(parts)
    const { pack, done } = writePack(inEngine(engine.value), { want: said.want, have })
    return (async function* () {
      yield* pack as AsyncIterable<Uint8Array>
      await done
    })()
  }

  #chainOf(engine: EngineRepository, run: string): PackChain {
    const key = `${engine.stateDir} ${run}`
    const chain = this.#chains.get(key) ?? new PackChain(engine)
    this.#chains.delete(key)
    this.#chains.set(key, chain)
    const [oldest] = this.#chains.keys()
    if (this.#chains.size > MOST_CHAINS && oldest !== undefined) this.#chains.delete(oldest)
    return chain
  }

  async pack(
    said: Said<typeof protocol.packSchema>,
    token: Token,
    body: AsyncIterable<Uint8Array>,
  ): Promise<{ taken: true } | Refusal> {
    const assigned = await this.#assignment(said, token)
    if ('kind' in assigned) return assigned
    const engine = await this.#engine(assigned.project)
    if (!engine.ok) return refusedBy(engine.problems)
    const { order } = assigned.assignment
    // It has all but what its worker was given; another server may have handed that out.
    const needed = neededCommits(order)
    const here = await this.#fetched(engine.value, order.run, { want: needed, have: [said.commit] })
    try {
      await readPack(inEngine(engine.value), bounded(body), engine.value.user.objectFormat)
    } catch (error) {
      if (error instanceof TooLarge) return refusal('too-large', error.message)
      if (!(error instanceof GitFailure) || isOfThisMachine(error)) throw error
      return refusal('refused', `the pack cannot be used: ${error.stderr.trim().split('\n')[0]}`)
    }
    const hasCome = !here.has(said.commit) && (await this.#present(engine.value, [said.commit])).length > 0
    if (hasCome) this.#remember(said.commit, said.job)
    const isToBeShared = order.kind === 'attempt' && engine.value.shared !== null
    return isToBeShared ? this.#share(engine.value, order, said.commit) : { taken: true }
  }

  /** Those that are here; where something is wanted that is not, after a look into the shared repository. */
  async #fetched(
    engine: EngineRepository,
    run: string,
    { want, have }: { want: readonly string[]; have: readonly string[] },
  ): Promise<Set<string>> {
    const here = new Set(await this.#present(engine, [...want, ...have]))
    if (engine.shared === null || want.every((commit) => here.has(commit))) return here
    await fetchForWorkers(engine, run)
    return new Set(await this.#present(engine, [...want, ...have]))
  }

  /** For an engine on another machine, which writes the attempt's own ref once it has looked at it. What fails is tried again. */
  async #share(engine: EngineRepository, order: AttemptOrder, commit: string): Promise<{ taken: true } | Refusal> {
    const { run, task, attempt, base, resolves } = order
    const isIts = await git(['merge-base', '--is-ancestor', resolves?.onto ?? base, commit], {
      ...inEngine(engine),
      okCodes: [0, 1],
    })
    if (isIts.code !== 0) return refusal('refused', 'the commit does not descend from what the attempt was given')
    if (await pushShared(engine, { ref: deliveredRef(run, task.id, attempt), to: commit })) return { taken: true }
    throw new Error('the shared repository does not take the commit')
  }

  /** Not taken: it cannot be kept here, whoever sends it. The rest of the attempt's files can. */
  async output(said: Said<typeof protocol.outputSchema>, token: Token): Promise<{ taken: boolean } | Refusal> {
    const assigned = await this.#assignment(said, token)
    if ('kind' in assigned) return assigned
    const { run, order } = assigned.assignment
    const { folder, engineRepository } = assigned.project.workspace
    const here = orderFolder(folder, order)
    const data = Buffer.from(said.data, 'base64')
    const isCollected = /^(?:artifacts|junit)\//.test(said.file)
    const most = isCollected ? LIMITS.artifactBytes : Math.max(order.settings.logs.maxBytes, FLEET.outputBytes)
    if (said.offset + data.length > most) return { taken: false }
    if (engineRepository === null) return { taken: await writeOutput(join(here, said.file), said.offset, data) }
    // Who leads may be on another machine.
    await assigned.fleet.keepOutput(run, {
      folder: relative(folder.root, here),
      file: said.file,
      offset: said.offset,
      data,
    })
    return { taken: true }
  }

  async report(said: Said<typeof protocol.reportedSchema>, token: Token): Promise<{ taken: true } | Refusal> {
    const assigned = await this.#assignment(said, token)
    if ('kind' in assigned) return assigned
    const { run, order } = assigned.assignment
    if (order.kind !== 'attempt') return refusal('refused', 'a verification has nothing to report but its verdict')
    const { task, attempt } = order
    const mine = said.facts.filter((fact) => fact.task === task.id && fact.attempt === attempt)
    const told = await assigned.project.workspace.write(async (store) => {
      for (const fact of mine) await store.request(run, fact)
      const progress = said.progress.map((one) => ({
        type: 'attempt.progress' as const,
        task: task.id,
        attempt,
        ...one,
      }))
      if (progress.length > 0) await store.addProgress(run, progress)
      return ok(undefined)
    })
    return told.ok ? { taken: true } : notWritten(told)
  }

  async result(said: Said<typeof protocol.resultSchema>, token: Token): Promise<{ taken: true } | Refusal> {
    const assigned = await this.#assignment(said, token, 'any')
    if ('kind' in assigned) return assigned
    const { job, run, order } = assigned.assignment
    const { fact } = said
    if (!isResultOf(order, fact)) return refusal('refused', 'this is the result of something else')
    // Only of the repository that the engine has, too.
    const isNew =
      assigned.project.workspace.engineRepository === null &&
      fact.type === 'attempt.finished' &&
      fact.commit !== null &&
      this.#brought.get(fact.commit) === job
    const told = await assigned.project.workspace.write(async (store) => {
      await store.request(run, isNew ? { ...fact, isNew } : fact)
      return ok(undefined)
    })
    if (!told.ok) return notWritten(told)
    await assigned.fleet.done(said.name, job)
    return { taken: true }
  }

  async ask(said: Said<typeof protocol.askingSchema>, token: Token): Promise<Result<unknown> | Refusal> {
    const assigned = await this.#assignment(said, token)
    if ('kind' in assigned) return assigned
    const { run, order } = assigned.assignment
    if (order.kind !== 'attempt') return refusal('refused', 'a verification has no task to ask about')
    const { workspace } = assigned.project
    const identity = { stateRoot: workspace.folder.root, run, task: order.task.id, attempt: order.attempt }
    return answerHere({ ...identity, token: order.token }, said.ask, {
      folder: workspace.folder,
      write: (use) => workspace.write(use),
    })
  }

  async leave(said: Named, token: Token): Promise<{ left: true } | Refusal> {
    const caller = await this.#as(said, token)
    if ('kind' in caller) return caller
    await caller.fleet.leave(said.name)
    return { left: true }
  }

  async #project(id: string | undefined): Promise<Project | Refusal> {
    const listed = this.#context.projects.list()
    if (!listed.ok) return refusedBy(listed.problems)
    const [only, ...more] = listed.value
    if (id === undefined && (only === undefined || more.length > 0))
      return refusal('invalid-request', 'the server has several projects: name one with --project')
    const opened = await this.#context.projects.get(id ?? only?.id ?? '')
    if (opened === null) return refusal('refused', `there is no project ${id}`)
    return opened.ok ? opened.value : refusedBy(opened.problems)
  }

  async #as({ name, project: id }: Named, token: Token): Promise<{ project: Project; fleet: Assignments } | Refusal> {
    const project = await this.#project(id)
    if ('kind' in project) return project
    const fleet = await this.#context.fleets.of(project)
    if (!fleet.ok) return refusedBy(fleet.problems)
    const owner = await fleet.value.tokenOf(name)
    if (owner === null) return refusal('not-found', `there is no worker ${name}: it has to join first`)
    if (owner !== token.id) return refusal('scope-missing', `${name} joined with another token`)
    return { project, fleet: fleet.value }
  }

  async #assignment(
    said: Named & { job: string },
    token: Token,
    state: 'active' | 'any' = 'active',
  ): Promise<{ project: Project; fleet: Assignments; assignment: Assignment } | Refusal> {
    const caller = await this.#as(said, token)
    if ('kind' in caller) return caller
    const assignment = await caller.fleet.mine(said.name, said.job, state)
    return assignment ? { ...caller, assignment } : refusal('refused', 'this is not its assignment any more')
  }

  async #present(engine: EngineRepository, commits: readonly string[]): Promise<string[]> {
    const infos = await objectInfos(engine, commits)
    return commits.filter((commit) => infos.get(commit)?.type === 'commit')
  }

  /** The first to bring it is the one it is of. */
  #remember(commit: string, job: string): void {
    if (this.#brought.has(commit)) return
    this.#brought.set(commit, job)
    const [oldest] = this.#brought.keys()
    if (this.#brought.size > MOST_BROUGHT && oldest !== undefined) this.#brought.delete(oldest)
  }

  /** As the engine of the project has it: opening it is idempotent. */
  async #engine({ workspace }: Project): Promise<Result<EngineRepository>> {
    const root = workspace.folder.root
    const known = this.#engines.get(root)
    if (known) return known
    const opening = (async () => {
      const user = await workspace.user()
      return user.ok ? ok(await openEngineRepository(root, user.value, workspace.engineRepository)) : user
    })()
    this.#engines.set(root, opening)
    try {
      const opened = await opening
      if (!opened.ok) this.#engines.delete(root)
      return opened
    } catch (error) {
      this.#engines.delete(root)
      throw error
    }
  }
}

const MOST_BROUGHT = 10_000
const MOST_CHAINS = 4
const NOT_HERE =
  'the commits of this assignment are not where the server looks: it needs the state folder of the coordinator, or the same ESPALIER_ENGINE_REPOSITORY'

/** Its disk is full, or its git was killed: nothing is wrong with what came, which is sent again. */
function isOfThisMachine(error: GitFailure): boolean {
  return error.code === null || isDiskTrouble(error) || isShortage(error)
}

/** Whoever has it keeps it, and tries again. */
function notWritten({ problems }: Extract<Result<unknown>, { ok: false }>): Refusal {
  return refusal('not-ready', problems[0]?.message ?? 'it cannot be written at the moment')
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
