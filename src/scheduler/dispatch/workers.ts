// The machines that execute attempts: the engine's own (`local`), and workers that join and are lost during a run. Each
// has slots, labels and resources of its own. A unit takes a slot, and with it the worker that executes it.
//
// Properties
// - A slot has one unit, and so has each number of a resource. A unit keeps both as long as it has its slot.
// - A lost worker gets no more work. The code that applies the loss (apply/worker.ts) vacates or ends its units.
// - Suitable workers are indexed by requirement (`gpu`, two licences), not searched: a decision costs the same for one
//   worker and for a thousand.
// - Workers are counted in the order in which they joined, so a replay chooses the same ones (I14).
import type { Limits, TakenResources } from '../../event.ts'
import { LOCAL } from '../../status.ts'
import type { Plan, Task } from '../../task.ts'
import { NO_ROOM, PlaceTree } from './worker-score-tree.ts'

/** Sorted by name. */
type Uses = readonly (readonly [name: string, count: number])[]

/** Requirements of a unit. `key`: equal for equal requirements. */
export type Requirement = { key: string; labels: readonly string[]; uses: Uses }

/** Facts a worker reports when it joins. No slots: it finishes its attempts and takes no more. */
export type WorkerOffer = { slots: number; labels: readonly string[]; resources: Readonly<Record<string, number>> }

export type Worker = {
  readonly name: string
  /** Counted from 0 in the order in which they joined. */
  readonly index: number
  /** Number of slots. More may be taken if the worker had more before. */
  count: number
  labels: readonly string[]
  readonly resources: Resources
  isThere: boolean
  /** slots[n - 1] is the unit in slot n. */
  readonly slots: (number | null)[]
  taken: number
  running: number
  /** Slots of half-done epics that wait for money: other units may run as if these slots were free. */
  idle: number
}

export class Workers {
  readonly local: Worker
  /** Units that have a slot. */
  readonly atWork = new Set<number>()
  readonly all: Worker[] = []
  readonly #byName = new Map<string, Worker>()
  readonly #fits = new Map<string, { requirement: Requirement; tree: PlaceTree }>()
  capacity = 0
  #idle: ReadonlyMap<string, number> = new Map()

  constructor(plan: Pick<Plan, 'resources'>, limits: Pick<Limits, 'slots' | 'labels'>) {
    const resources = Object.entries(plan.resources ?? {}).map(([name, { count }]) => [name, count] as const)
    const offer = { slots: limits.slots, labels: limits.labels ?? [], resources: Object.fromEntries(resources) }
    this.local = this.join(LOCAL, offer)
  }

  named(name: string): Worker | undefined {
    return this.#byName.get(name)
  }

  /** Adds a worker. One that joined before gets the new slots, labels and resources. */
  join(name: string, { slots, labels, resources }: WorkerOffer): Worker {
    const known = this.#byName.get(name)
    const worker = known ?? this.#added(name)
    Object.assign(worker, { count: slots, labels, isThere: true })
    worker.resources.declare(resources)
    this.#resized(worker)
    return worker
  }

  lose(worker: Worker): void {
    worker.isThere = false
    this.#resized(worker)
  }

  setLocal({ slots, labels }: Pick<Limits, 'slots' | 'labels'>): void {
    Object.assign(this.local, { count: slots, labels: labels ?? [] })
    this.#resized(this.local)
  }

  occupy(worker: Worker, slot: number, unit: number, resources: TakenResources | null): void {
    if (resources) worker.resources.take(resources)
    while (worker.slots.length < slot) worker.slots.push(null)
    worker.slots[slot - 1] = unit
    worker.taken++
    this.atWork.add(unit)
    this.#changed(worker)
  }

  vacate(worker: Worker, slot: number, unit: number, resources: TakenResources | null): void {
    if (resources) worker.resources.giveBack(resources)
    worker.slots[slot - 1] = null
    worker.taken--
    this.atWork.delete(unit)
    this.#changed(worker)
  }

  /** Counts running attempts. `by`: 1 when an attempt begins, -1 when it has ended. */
  countRunning(worker: Worker, by: 1 | -1): void {
    worker.running += by
    this.#changed(worker)
  }

  /** Idle slots by worker. */
  setIdle(idle: ReadonlyMap<string, number>): void {
    if (idle.size + this.#idle.size === 0) return
    for (const name of new Set([...idle.keys(), ...this.#idle.keys()])) {
      const worker = this.#byName.get(name) as Worker
      const slots = idle.get(name) ?? 0
      if (worker.idle === slots) continue
      worker.idle = slots
      this.#changed(worker)
    }
    this.#idle = idle
  }

  /** The worker with room for the requirement and the smallest share of taken slots; null: none has room. */
  best(requirement: Requirement): Worker | null {
    const found = this.#fitting(requirement).best()
    return found === null ? null : (this.all[found] as Worker)
  }

  /**
   * The worker for a verification, which takes no slot, so that no run waits for itself: the one with the smallest share of taken
   * slots, counting those that verify already (`verifying`). If no worker has slots: the engine's own machine.
   */
  forVerification(verifying: readonly string[]): Worker {
    const shareOf = ({ name, count, taken, idle }: Worker) =>
      (taken - idle + verifying.filter((one) => one === name).length) / count
    const there = this.all.filter(({ isThere, count }) => isThere && count > 0)
    return there.reduce((best, one) => (shareOf(one) < shareOf(best) ? one : best), there[0] ?? this.local)
  }

  hasRoom(worker: Worker, requirement: Requirement): boolean {
    return score(worker, requirement) !== NO_ROOM
  }

  /** True if a present worker can ever meet the requirement. */
  canServe(requirement: Requirement): boolean {
    return this.all.some((worker) => worker.isThere && worker.count > 0 && isFit(worker, requirement))
  }

  #added(name: string): Worker {
    const worker: Worker = {
      ...{ name, index: this.all.length, count: 0, labels: [], resources: new Resources(), isThere: false },
      ...{ slots: [], taken: 0, running: 0, idle: 0 },
    }
    this.all.push(worker)
    this.#byName.set(name, worker)
    return worker
  }

  #fitting(requirement: Requirement): PlaceTree {
    const known = this.#fits.get(requirement.key)
    if (known) return known.tree
    const tree = new PlaceTree()
    for (const worker of this.all) tree.set(worker.index, score(worker, requirement))
    this.#fits.set(requirement.key, { requirement, tree })
    return tree
  }

  #resized(worker: Worker): void {
    this.capacity = this.all.reduce((sum, { isThere, count }) => sum + (isThere ? count : 0), 0)
    this.#changed(worker)
  }

  #changed(worker: Worker): void {
    for (const { requirement, tree } of this.#fits.values()) tree.set(worker.index, score(worker, requirement))
  }
}

/**
 * Numbered resources of a machine (`gpu: 2`). A unit takes all it uses at once, with its slot, and returns it with the slot: no
 * unit holds one and waits for another, so there is no deadlock. The lowest free numbers are chosen and recorded in
 * `attempt.started`, so a replay does not depend on the choice. After a plan change to fewer, more may be taken than exist.
 */
class Resources {
  #counts: Readonly<Record<string, number>> = {}
  readonly #taken = new Map<string, Set<number>>()

  declare(counts: Readonly<Record<string, number>>): void {
    this.#counts = counts
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts
  }

  countOf(name: string): number {
    return Object.hasOwn(this.#counts, name) ? (this.#counts[name] ?? 0) : 0
  }

  /** The first resource with too few free numbers; null: all uses can be met. */
  lacking(uses: Uses): string | null {
    for (const [name, count] of uses) if (this.countOf(name) - (this.#taken.get(name)?.size ?? 0) < count) return name
    return null
  }

  /** The numbers that these uses would get. */
  choose(uses: Uses): TakenResources {
    return Object.fromEntries(uses.map(([name, count]) => [name, this.#lowest(name, count)]))
  }

  take(numbers: TakenResources): void {
    for (const [name, list] of Object.entries(numbers)) {
      const taken = this.#taken.get(name) ?? new Set()
      for (const number of list) taken.add(number)
      this.#taken.set(name, taken)
    }
  }

  giveBack(numbers: TakenResources): void {
    for (const [name, list] of Object.entries(numbers)) for (const number of list) this.#taken.get(name)?.delete(number)
  }

  #lowest(name: string, count: number): number[] {
    const taken = this.#taken.get(name)
    const found: number[] = []
    for (let number = 0; found.length < count; number++) if (!taken?.has(number)) found.push(number)
    return found
  }
}

/** The share of taken slots. A half-done epic that waits for money keeps its slot, but another unit may run in its place. */
function score(worker: Worker, requirement: Requirement): number {
  const { isThere, count, running, taken, idle, resources } = worker
  const busy = taken - idle
  if (!isThere || running >= count || busy >= count) return NO_ROOM
  if (!hasLabels(worker, requirement) || resources.lacking(requirement.uses) !== null) return NO_ROOM
  return busy / count
}

function isFit(worker: Worker, requirement: Requirement): boolean {
  const { resources } = worker
  return hasLabels(worker, requirement) && requirement.uses.every(([name, count]) => resources.countOf(name) >= count)
}

export function hasLabels({ labels }: Worker, requirement: Requirement): boolean {
  return requirement.labels.every((label) => labels.includes(label))
}

/** Requirements of tasks that share a machine. */
export function requirementOf(tasks: readonly Pick<Task, 'uses' | 'labels'>[]): Requirement {
  if (tasks.every(({ uses, labels }) => !uses && !labels)) return ANYWHERE
  const uses = usesOf(tasks)
  const labels = [...new Set(tasks.flatMap((task) => task.labels ?? []))].sort()
  if (uses.length + labels.length === 0) return ANYWHERE
  const used = uses.map(([name, count]) => `${name}=${count}`)
  return { key: [...labels, ...used].join(' '), labels, uses }
}

/** No requirement: a machine without room for this has room for nothing. */
export const ANYWHERE: Requirement = { key: '', labels: [], uses: [] }

/** Largest use of each resource by tasks that run one after the other with one set of numbers. */
function usesOf(tasks: readonly Pick<Task, 'uses'>[]): Uses {
  const most = new Map<string, number>()
  for (const { uses } of tasks)
    for (const [name, count] of Object.entries(uses ?? {})) most.set(name, Math.max(count, most.get(name) ?? 0))
  return [...most].sort(([a], [b]) => (a < b ? -1 : 1))
}
