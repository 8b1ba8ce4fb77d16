// The ready set: which unit starts next? Found in logarithmic time however many are ready.
//
// Units that ask the same of a machine stand together, and those that no machine has room for now are not looked at: such
// requirements are few in a plan, whatever the number of its tasks. Among them every unit sits in one lane: the lane of one
// of its claims, or the lane of those without claims. While somebody holds something that conflicts with a lane's claim, no
// unit of that lane can start, so the whole lane is shut at once and opened again when that holder lets go; a shut lane
// costs nothing. The same goes for units whose agents are all paused, until one of these goes on. Lanes belong to a group
// (an epic), because the soft cap per epic asks for the best unit of each.
//
// Properties: the best unit that can start is found if there is one (work-conserving); looking changes nothing that
// can be seen from outside; a unit that was withdrawn meanwhile, or that another took the place of, is dropped when it comes up.
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

  /** `agents`: those that may do it; none for a unit that no agent has to do with. */
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

  /** The best unit that could start now; groups for which `isCapped` answers true come second. It stays in the queue. */
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
/** A unit or a person (holds.ts) that holds claims, or an agent that is paused. */
type Holder = number | string
/** `isCapped`: its group has as much as it may have while others wait. */
type Found = { unit: Unit; isCapped: boolean }
type Group = {
  name: string
  lanes: Map<string, Lane>
  open: Heap<{ unit: Unit; lane: Lane }>
  offered: Unit | null
  /** While it is looked through, its lanes make no offers for it. */
  isLookedAt: boolean
}

class ReadyLanes {
  readonly #groups = new Map<string, Group>()
  /** A lane may stand here under a holder that does not shut it any more: opening it too early only costs a look. */
  readonly #shut = new Map<Holder, Set<Lane>>()
  readonly #paused: ReadonlySet<string>
  readonly #claims: ClaimTable
  readonly #waiting: ReadonlyMap<number, Unit>
  /** Every group that may have something open, under its best unit or one that comes before it. */
  readonly #offers = new Heap<{ unit: Unit; group: Group }>(byUnit)

  /** `paused`: agents; `waiting`: those that are ready, by their indexes. Both are their owner's to change. */
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

  /** The best unit that could start now; groups for which `isCapped` answers true come second. It stays in the queue. */
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
    // At most as many as there are slots: a group is capped only while it has units running.
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

  /** One entry per group is in force: that of the unit noted in the group. */
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
