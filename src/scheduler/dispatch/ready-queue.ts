// The queue of ready units. Finds the unit that starts next in logarithmic time.
//
// Units with the same requirement stand together, and requirements that no machine has room for now are skipped: a plan has
// few of them, however many tasks it has. Within a requirement every unit is in one lane: the lane of one of its claims, or
// the lane of units without claims. While another unit or a person holds a conflicting claim, no unit of the lane can start,
// so the whole lane is shut, and opened again when that holder lets go; a shut lane costs nothing. A lane is also shut while
// all agents of its units are paused. Lanes belong to a group (an epic), because the soft cap per epic asks for the best
// unit of each.
//
// Properties: the best unit that can start is found if there is one (work-conserving); looking has no visible effect;
// a unit that was withdrawn or replaced meanwhile is dropped when it comes up.
import type { Claim } from '../claims/overlap.ts'
import type { ClaimTable } from '../claims/table.ts'
import { dispatchOrder, type Unit } from '../graph.ts'
import { Heap } from './heap.ts'
import type { Requirement, Workers } from './workers.ts'

export class ReadyQueue {
  readonly #claims: ClaimTable
  readonly #workers: Workers
  readonly #paused = new Set<string>()
  readonly #waiting = new Map<number, Unit>()
  readonly #byRequirement = new Map<string, { requires: Requirement; lanes: ReadyLanes }>()

  constructor(claims: ClaimTable, workers: Workers) {
    this.#claims = claims
    this.#workers = workers
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Adds a unit. `agents`: those that may do its next task; empty if it needs none. */
  push(unit: Unit, group: string, agents: readonly string[] = []): void {
    this.#waiting.set(unit.index, unit)
    this.#lanesOf(unit).push(unit, group, agents)
  }

  pause(agent: string): void {
    this.#paused.add(agent)
  }

  goOn(agent: string): void {
    this.#paused.delete(agent)
    this.released(agent)
  }

  withdraw(unit: number): void {
    this.#waiting.delete(unit)
  }

  released(holder: Holder): void {
    for (const { lanes } of this.#byRequirement.values()) lanes.released(holder)
  }

  /** The best unit that could start now, preferably of a group that is not capped (`isCapped`). It stays in the queue. */
  best(isCapped: (group: string) => boolean): Unit | null {
    let best: Found | null = null
    for (const { requires, lanes } of this.#byRequirement.values()) {
      if (this.#workers.best(requires) === null) continue
      const found = lanes.best(isCapped)
      if (found && (!best || before(found, best))) best = found
    }
    return best?.unit ?? null
  }

  #lanesOf({ requires }: Unit): ReadyLanes {
    const known = this.#byRequirement.get(requires.key)
    if (known) return known.lanes
    const lanes = new ReadyLanes(this.#claims, this.#paused, this.#waiting)
    this.#byRequirement.set(requires.key, { requires, lanes })
    return lanes
  }
}

function before(a: Found, b: Found): boolean {
  return a.isCapped === b.isCapped ? dispatchOrder(a.unit, b.unit) < 0 : b.isCapped
}

/** `offered` is the unit under which the lane stands among its group's open ones; entries of any other are stale. */
type Lane = {
  claim: Claim | null
  agents: readonly string[]
  units: Heap<Unit>
  group: Group
  open: boolean
  offered: Unit | null
}
/** A unit or a person (held-by-people.ts) that holds claims, or an agent that is paused. */
type Holder = number | string
/** `isCapped`: its group has its maximum while others wait. */
type Found = { unit: Unit; isCapped: boolean }
type Group = {
  name: string
  lanes: Map<string, Lane>
  open: Heap<{ unit: Unit; lane: Lane }>
  offered: Unit | null
  /** True during a search in it; its lanes make no offers to it then. */
  isLookedAt: boolean
}

class ReadyLanes {
  readonly #groups = new Map<string, Group>()
  /** Shut lanes by holder. An entry may be outdated: opening a lane too early only costs a look. */
  readonly #shut = new Map<Holder, Set<Lane>>()
  readonly #paused: ReadonlySet<string>
  readonly #claims: ClaimTable
  readonly #waiting: ReadonlyMap<number, Unit>
  /** Groups that may have an open unit, each under its best unit or one before that. */
  readonly #offers = new Heap<{ unit: Unit; group: Group }>(byUnit)

  /** `paused`: paused agents; `waiting`: ready units, by index. The owner of the sets changes them. */
  constructor(claims: ClaimTable, paused: ReadonlySet<string>, waiting: ReadonlyMap<number, Unit>) {
    this.#claims = claims
    this.#paused = paused
    this.#waiting = waiting
  }

  push(unit: Unit, group: string, agents: readonly string[]): void {
    this.#place(unit, this.#group(group), unit.claims[0] ?? null, agents)
  }

  released(holder: Holder): void {
    for (const lane of this.#shut.get(holder) ?? []) if (!lane.open) this.#offer(lane)
    this.#shut.delete(holder)
  }

  /** The best unit that could start now, preferably of a group that is not capped (`isCapped`). It stays in the queue. */
  best(isCapped: (group: string) => boolean): Found | null {
    const passed: { unit: Unit; group: Group }[] = []
    let found: Unit | null = null
    while (!found) {
      const offer = this.#offers.pop()
      if (!offer) break
      const { group } = offer
      if (offer.unit !== group.offered) continue
      group.isLookedAt = true
      const unit = this.#bestOf(group)
      Object.assign(group, { offered: null, isLookedAt: false })
      if (!unit) continue
      if (unit === offer.unit && isCapped(group.name)) {
        passed.push({ unit, group })
        continue
      }
      this.#offerGroup(group, unit)
      if (unit === offer.unit) found = unit
    }
    // At most as many groups as slots: a group is capped only while it has running units.
    for (const { unit, group } of passed) this.#offerGroup(group, unit)
    if (found) return { unit: found, isCapped: false }
    return passed[0] ? { unit: passed[0].unit, isCapped: true } : null
  }

  #bestOf(group: Group): Unit | null {
    for (;;) {
      const entry = group.open.peek()
      if (!entry) return null
      const { lane } = entry
      const unit = lane.units.peek()
      if (entry.unit !== lane.offered || !unit) {
        group.open.pop()
        continue
      }
      if (this.#waiting.get(unit.index) !== unit) {
        lane.units.pop()
        this.#offer(lane)
        continue
      }
      const holders = this.#holders(lane)
      if (holders.length > 0) {
        this.#shutLane(lane, holders)
        continue
      }
      const blocked = unit.claims.find((claim) => this.#claims.blocker(claim) !== null)
      if (!blocked) return unit
      lane.units.pop()
      this.#offer(lane)
      this.#place(unit, group, blocked, lane.agents)
    }
  }

  /** Holders that shut a lane: its agents, if all are paused, or a unit or person with a conflicting claim. */
  #holders({ agents, claim }: Lane): readonly Holder[] {
    if (agents.length > 0 && agents.every((agent) => this.#paused.has(agent))) return agents
    const blocker = claim && this.#claims.blocker(claim)
    return blocker === null ? [] : [blocker]
  }

  #place(unit: Unit, group: Group, claim: Claim | null, agents: readonly string[]): void {
    const key = laneKey(claim, agents)
    let lane = group.lanes.get(key)
    if (!lane) {
      lane = { claim, agents, units: new Heap(dispatchOrder), group, open: true, offered: null }
      group.lanes.set(key, lane)
    }
    lane.units.push(unit)
    if (lane.open && (lane.offered === null || dispatchOrder(unit, lane.offered) < 0)) this.#offer(lane)
  }

  #offer(lane: Lane): void {
    const unit = lane.units.peek()
    lane.open = true
    lane.offered = unit ?? null
    if (unit) {
      lane.group.open.push({ unit, lane })
      this.#offerGroup(lane.group, unit)
    } else lane.group.lanes.delete(laneKey(lane.claim, lane.agents))
  }

  /** Offers a group under a unit. Only one entry per group is valid: that of the unit noted in the group. */
  #offerGroup(group: Group, unit: Unit): void {
    if (group.isLookedAt || (group.offered !== null && dispatchOrder(group.offered, unit) <= 0)) return
    group.offered = unit
    this.#offers.push({ unit, group })
  }

  #shutLane(lane: Lane, holders: readonly Holder[]): void {
    lane.open = false
    lane.offered = null
    for (const holder of holders) {
      const lanes = this.#shut.get(holder) ?? new Set()
      this.#shut.set(holder, lanes.add(lane))
    }
  }

  #group(name: string): Group {
    const known = this.#groups.get(name)
    if (known) return known
    const open = new Heap<{ unit: Unit; lane: Lane }>(byUnit)
    const group: Group = { name, lanes: new Map(), open, offered: null, isLookedAt: false }
    this.#groups.set(name, group)
    return group
  }
}

function laneKey(claim: Claim | null, agents: readonly string[]): string {
  return `${agents.join('\n')}\0${claim ? `${claim.mode}:${claim.pattern}` : ''}`
}

function byUnit(a: { unit: Unit }, b: { unit: Unit }): number {
  return dispatchOrder(a.unit, b.unit)
}
