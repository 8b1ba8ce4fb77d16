// What the batches and tasks of a batch plan wait for. Order goes through what was left out: that stands for what it waits
// for itself.
import type { Place } from '../../document/place.ts'
import type { Need } from '../markdown/plan.ts'
import { BatchReferences, type Reference } from './references.ts'
import { type BatchFile, isOpen, type Planned, type PlannedBatch } from './tasks.ts'

export class BatchNeeds {
  readonly #of: BatchFile
  readonly #references: BatchReferences<PlannedBatch, Planned>
  /** How much was gone through to find what waits for what. */
  #steps = 0

  constructor(of: BatchFile) {
    this.#of = of
    this.#references = new BatchReferences(of.plan, (line, column) => of.plan.place(of.file, line, column), of)
  }

  /** Open batches it waits for. One without tasks, or left out, stands for those it waits for itself. */
  ofBatch(batch: PlannedBatch): Need[] {
    const needs: Need[] = []
    const seen = new Set<PlannedBatch>()
    const open: { batch: PlannedBatch; place?: Place }[] = [{ batch }]
    for (let next = open.pop(); next; next = open.pop()) {
      for (const { batches, place: own, isSoft } of this.#named(next.batch)) {
        if (isSoft) continue
        const place = next.place ?? own
        for (const other of batches) {
          if (isOpen(other)) needs.push({ id: other.epic, place })
          else if (passesOn(other) && !seen.has(other)) {
            if (!this.#maySee(place)) return []
            seen.add(other)
            open.push({ batch: other, place })
          }
        }
      }
    }
    return needs
  }

  /** Its own, and those tasks that its whole batch depends on. */
  ofTask(task: Planned): Need[] {
    return this.#reached(task, false)
  }

  /** What it waits for only as an order. */
  softOfTask(task: Planned): Need[] {
    return this.#reached(task, true)
  }

  #reached(task: Planned, isSoft: boolean): Need[] {
    const { plan } = this.#of
    if (plan.isRefused) return []
    const needs: Need[] = []
    const seen = new Set<Planned | PlannedBatch>()
    const toSee: Reached[] = []
    for (const from of [task, task.batch]) this.#reach(toSee, from, { isShared: from !== task, isSoft })
    for (let at = 0; at < toSee.length; at++) {
      const { what, place, isShared } = toSee[at] as Reached
      if (!this.#maySee(place)) return []
      if (seen.has(what)) continue
      seen.add(what)
      const isBatch = 'number' in what
      const tasks = isBatch ? what.tasks : [what]
      // What a whole batch needs, the need of its epic says; epics have no order that is only one.
      const open = isBatch && isShared && !isSoft ? [] : tasks.filter(({ state }) => state === 'open')
      if (!plan.mayNeed(open.length, place)) return []
      for (const one of open) needs.push({ id: one.task, place })
      const leftOut = tasks.filter(({ state }) => state === 'skipped')
      for (const one of leftOut) this.#reach(toSee, one, { isShared: false, place })
      if (isBatch ? passesOn(what) : leftOut.length > 0)
        this.#reach(toSee, isBatch ? what : what.batch, { isShared, place })
    }
    return needs
  }

  /** `isSoft`: only what is so, or is not; without it all. */
  #reach(toSee: Reached[], of: Planned | PlannedBatch, { isShared, isSoft, place: from }: Reach): void {
    for (const { tasks, batches, place, isSoft: own } of this.#named(of)) {
      if (isSoft !== undefined && own !== isSoft) continue
      for (const what of [...tasks, ...batches]) toSee.push({ what, place: from ?? place, isShared })
    }
  }

  /** A batch that says nothing waits for the one before it. */
  #named(of: Planned | PlannedBatch): Reference<PlannedBatch, Planned>[] {
    const said = this.#references.of(of) ?? ('number' in of ? this.#before(of) : [])
    return [...said, ...this.#references.blockersOf(of)]
  }

  #before(batch: PlannedBatch): Reference<PlannedBatch, Planned>[] {
    const { plan, file } = this.#of
    const place = plan.place(file, batch.line, batch.column)
    return [{ place, batches: batch.before ? [batch.before] : [], tasks: [], isSoft: false }]
  }

  #maySee(place: Place): boolean {
    if (this.#steps++ === MAX_STEPS)
      this.#of.plan.error(place, 'too much would have to be gone through to find what this waits for')
    return this.#steps <= MAX_STEPS
  }
}

/** More than in any plan that somebody wrote, and gone through in a second. */
const MAX_STEPS = 1_000_000

/** `place`: where the task says that it waits, where this is known only by way of what was left out. */
type Reach = { isShared: boolean; isSoft?: boolean; place?: Place }

type Reached = {
  what: Planned | PlannedBatch
  place: Place
  /** Its whole batch waits for it: where it is an open batch, the need of the epic says so. */
  isShared: boolean
}

/** Nothing of it is run, and not because it is done: order goes through it. */
function passesOn(batch: PlannedBatch): boolean {
  return batch.tasks.length === 0 || (!isOpen(batch) && batch.tasks.some(({ state }) => state === 'skipped'))
}
