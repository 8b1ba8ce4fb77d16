// The landing queue of a run, carried out: `build` merges work onto the branch, `verify` runs `landing.verify` on the result,
// `move` moves the branch there, and `publish` brings that into the user's repository. The order is decided in
// scheduler/landing/; git's part is in git/landing/.
//
// The way of a piece of work, from the end of its agent on (each `→` is a fact in the journal; `decide` reacts to it):
//   attempt/agent-process.ts follows the process to its end; attempt/attempt.ts keeps the work as a commit and checks it
//   engine/run/performer.ts hands the result to run.ts, whose next tick writes → attempt.finished
//     (of a worker: fleet/ leaves it as a request in the store, which the tick reads)
//   scheduler/apply/attempt.ts queues the task for landing, with the last task of its epic; without work to land it has passed
//   decide → landing.started: `build` merges (landing/build-and-move.ts)
//     in conflict with the branch: → landing.refused; its task starts again or waits for a person
//     merged, not to be verified: `build` moves the branch → landing.landed
//     merged, to be verified: → landing.built; decide → landing.verifying: `verify` → landing.verified
//       passed: decide → landing.moving: `move` → landing.landed
//       failed: parts of the batch are verified; the culprit → landing.refused, and its task starts again
//   engine/run/run.ts calls `publish` after every write; publisher.ts brings the newest head into the user's repository.
//
// Properties
// - Without `landing.verify` the way is shorter: `build` moves the branch itself, and no `landing.moving` is written.
// - A step that the machine prevents is tried again a few times, then the run stops; at once if the disk is full or
//   engine.git cannot be written. The journal says that the landing is under way, so the next engine takes it up.
import { join } from 'node:path'
import { retry } from '../async/retry.ts'
import type { Machine } from '../attempt/attempt-context.ts'
import {
  type AttemptRunner,
  type RunningVerification,
  VERIFICATION_SETTINGS,
  type VerificationOrder,
} from '../attempt/attempt-order.ts'
import { LIMITS, type Settings } from '../config.ts'
import type { EventOf, Fact, Verdict } from '../event.ts'
import { keptWork } from '../facts/kept-refs.ts'
import { namingEngineTrouble } from '../git/engine/engine-trouble.ts'
import { isDiskTrouble, isMachineTrouble, machineTroubleText } from '../git/run/machine-trouble.ts'
import { publish, publishSubmodules, publishWork } from '../git/user/publish.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { taskAt, unitAt } from '../scheduler/graph.ts'
import { movedPart, type Verification } from '../scheduler/landing/batch.ts'
import { indexOf, type RunState, record, unitState } from '../scheduler/state.ts'
import { LOCAL } from '../status.ts'
import type { Store } from '../store/store.ts'
import type { TaskView } from '../view.ts'
import type { SearchGrowth } from '../workloads/search/run-growth.ts'
import { verificationFolder, verificationToken } from '../workspace/state-folder.ts'
import { buildBatch, type LandItem, type LandingPlace, moveBatch } from './build-and-move.ts'
import { Publisher } from './publisher.ts'
import { VerificationHere } from './verification.ts'

type LandingRun = {
  id: string
  state: RunState
  settings: Settings
  machine: Machine
  runner: AttemptRunner
  store: Store
  search: SearchGrowth | null
}

type Place = { worker: string; slot: number }

export class Landing {
  readonly publisher: Publisher
  readonly #run: LandingRun
  readonly #place: LandingPlace
  readonly #verifications = new Map<number, RunningVerification>()
  readonly #halted = new Set<number>()
  #hasPassed = false
  /** Verifications in a row that ended on workers without a verdict. */
  #withoutVerdict = 0
  #gone = false

  constructor(run: LandingRun) {
    const { id, state, settings, machine } = run
    const { engine } = machine
    const { conflict, merge, signoff } = settings.landing
    const { signsOff, identity } = engine.user
    this.#run = run
    this.#place = { engine, run: id, conflict, merge, signOff: (signoff ?? signsOff) ? identity : null }
    this.publisher = new Publisher({
      head: async (to) => {
        const trouble = await publishSubmodules(engine, id)
        const published = await publish(engine, { run: id, base: state.base, to })
        return published.ok ? trouble : published.message
      },
      work: (work) => publishWork(engine, id, work),
    })
  }

  build(started: Pick<EventOf<'landing.started'>, 'items' | 'onto' | 'verify'>): Promise<Result<Fact[]>> {
    const { items, onto, verify } = started
    const { state } = this.#run
    const merged = items.map((item) => this.#item(item, onto))
    return this.#withRetries(merged, () => buildBatch(this.#place, { items: merged, onto, head: state.head, verify }))
  }

  /** Moves the branch past the part of the batch that ends with `commit`. */
  move({ commit, onto }: Pick<EventOf<'landing.moving'>, 'commit' | 'onto'>): Promise<Result<Fact[]>> {
    const part = movedPart(this.#run.state, commit)
    const items = part.map((one) => this.#item({ tasks: this.#tasksOf(one.unit), commit: one.commit }, onto))
    return this.#withRetries(items, () => moveBatch(this.#place, { items, onto }))
  }

  async verify(number: number, commit: string, place: Place): Promise<Result<Fact[]>> {
    const { batch } = this.#run.state
    const isRepeated = (batch.items.find((item) => item.commit === commit)?.failures ?? 0) > 0
    try {
      const fact = await this.#verified(number, commit, place, isRepeated)
      const { verdict } = fact
      if (this.#isGivenUp(number, verdict, place)) return unverified(commit, `the log of ${place.worker} says why`)
      if (verdict?.passed) this.#hasPassed = true
      const hopeless = verdict && !this.#hasPassed ? await this.#branchFails(number, place) : null
      return hopeless === null ? ok([fact]) : refuse(hopeless)
    } catch (error) {
      // No task is at fault: the run stops here and can be resumed.
      return this.#gone ? ok([]) : unverified(commit, error instanceof Error ? error.message : String(error))
    }
  }

  halt(number: number): void {
    this.#halted.add(number)
    this.#verifications.get(number)?.halt()
  }

  /** Takes up what the journal says is active. Verifications of an earlier engine are ended, and their batch is made anew. */
  recover(): Promise<Result<Fact[]>>[] {
    const { batch, head } = this.#run.state
    const { building, moving, verifications } = batch
    const items = building?.items.map(({ unit, work }) => ({ tasks: this.#tasksOf(unit), commit: work })) ?? []
    return [
      ...(building ? [this.build({ ...building, items })] : []),
      ...(moving === null ? [] : [this.move({ commit: moving, onto: head })]),
      ...verifications.map((one) => this.#end(one)),
    ]
  }

  /** Publishes landed work, work of these tasks that will not land, and the nodes of a search into the user's repository. */
  publish(tasks: readonly TaskView[]): void {
    const { state, search } = this.#run
    if (state.head !== state.base) this.publisher.moved(state.head)
    for (const work of search ? search.keptNodes(state) : tasks.flatMap(keptWork)) this.publisher.keep(work)
  }

  letGo(): void {
    this.#gone = true
    for (const verification of this.#verifications.values()) verification.letGo()
  }

  /** Ends a verification of an earlier engine. On a worker it is ended when the fleet cancels unknown assignments. */
  #end({ number, commit, worker, slot }: Verification): Promise<Result<Fact[]>> {
    if (worker !== LOCAL)
      return Promise.resolve(ok([{ type: 'landing.verified', verification: number, commit, verdict: null }]))
    const ended = this.verify(number, commit, { worker, slot })
    this.halt(number)
    return ended
  }

  /** True after too many verifications in a row without a verdict: retrying on workers that cannot verify would never end. */
  #isGivenUp(number: number, verdict: Verdict | null, { worker }: Place): boolean {
    if (verdict !== null) this.#withoutVerdict = 0
    else if (worker !== LOCAL && !this.#halted.has(number)) this.#withoutVerdict++
    return this.#withoutVerdict > MOST_WITHOUT_VERDICT
  }

  /**
   * Verifies the branch itself, because perhaps nothing can pass. If it fails and no other work may fix it, no task is sent back:
   * the run stops with the returned message. Null: the branch passes, or more work is to come.
   */
  async #branchFails(number: number, place: Place): Promise<string | null> {
    const { state } = this.#run
    const { verdict } = await this.#verified(number, state.head, place, true)
    this.#hasPassed = verdict?.passed ?? false
    const { pending, ready, running } = state.counts
    if (!verdict?.failure || pending + ready + running > 0) return null
    const [why = ''] = verdict.failure.message.split('\n')
    return `\`landing.verify\` does not pass on ${state.head.slice(0, 12)} either, without any of this work (${why.replace(/:$/, '')}). Fix the machine and \`espalier resume\`, or give another command with \`ESPALIER_LANDING_VERIFY='…' espalier resume\``
  }

  async #verified(number: number, commit: string, { worker, slot }: Place, isRepeated: boolean) {
    const { id: run, state, settings } = this.#run
    const verification = this.#start({
      ...{ kind: 'verification', run, runBase: state.base, number, commit, worker, slot, isRepeated },
      isOfBranch: commit === state.head,
      token: verificationToken(run, state.seed, number),
      settings: Object.fromEntries(
        VERIFICATION_SETTINGS.map((name) => [name, settings[name]]),
      ) as VerificationOrder['settings'],
    })
    this.#verifications.set(number, verification)
    try {
      return await verification.result
    } finally {
      this.#verifications.delete(number)
    }
  }

  #start(order: VerificationOrder): RunningVerification {
    const { runner, machine, store } = this.#run
    if (order.worker !== LOCAL && runner.verify) return runner.verify(order)
    const folder = verificationFolder(machine.folder, order.run, order.number)
    return new VerificationHere(order, order.isOfBranch ? join(folder, 'branch') : folder, machine, store)
  }

  async #withRetries(items: LandItem[], land: () => Promise<Fact[]>): Promise<Result<Fact[]>> {
    const pause = (error: unknown, tries: number) =>
      isMachineTrouble(error) && !isDiskTrouble(error) ? (LIMITS.landingRetriesMs[tries] ?? null) : null
    try {
      return ok(await retry(() => namingEngineTrouble(this.#place.engine, land), pause))
    } catch (error) {
      if (!isMachineTrouble(error)) throw error
      const tasks = items.flatMap((item) => item.tasks.map(({ id }) => id))
      return refuse(`${tasks.join(', ')} could not land: ${machineTroubleText(error)}`)
    }
  }

  #item({ tasks: [first = '', ...more], commit }: EventOf<'landing.started'>['items'][number], onto: string): LandItem {
    const { graph } = this.#run.state
    const isPrompt = taskAt(graph, graph.taskIndex.get(first) ?? -1).work.kind === 'prompt'
    const tasks = [first, ...more].map((id) => this.#landedTask(id, onto))
    return { tasks, commit, hasAgent: isPrompt && more.length === 0 }
  }

  /** The task for its landing commit. A resolution counts as a change to its conflict's commit, whatever base the attempt had. */
  #landedTask(id: string, onto: string): LandItem['tasks'][number] {
    const { state } = this.#run
    const index = indexOf(state, id)
    const { title, decisions, from } = taskAt(state.graph, index)
    const last = record(state, index).history.at(-1)
    const { attempt = 1, summary = null } = last ?? {}
    const { resolves } = unitState(state, state.graph.unitOf[index] as number)
    // An attempt that began with another task's commit includes that one's work.
    const base = from === undefined ? (last?.base ?? onto) : state.base
    return { id, title, summary, decisions, attempt, base: resolves?.onto ?? base }
  }

  #tasksOf(unit: number): string[] {
    const { graph } = this.#run.state
    return unitAt(graph, unit).members.map((member) => taskAt(graph, member).id)
  }
}

const MOST_WITHOUT_VERDICT = 10

function unverified(commit: string, why: string): Result<Fact[]> {
  return refuse(`${commit.slice(0, 12)} could not be verified: ${why}`)
}
