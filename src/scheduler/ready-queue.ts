// The ready set. Answers one question, "which unit starts next?", in logarithmic time however many are ready.
//
// Every ready unit sits in one lane: the lane of one of its claims, or the lane of those without claims. While
// somebody holds something that conflicts with a lane's claim, no unit of that lane can start, so the whole lane is
// shut at once and opened again when that holder lets go; a shut lane costs nothing. Lanes belong to a group (an
// epic), because the soft cap per epic asks for the best unit of each.
//
// Properties: the best unit that can start is found if there is one (work-conserving); looking changes nothing that
// can be seen from outside; a unit that was withdrawn meanwhile is dropped when it comes up.
import type { ClaimTable } from './claim-table.ts'
import type { Claim } from './claims.ts'
import type { Unit } from './graph.ts'
import { Heap } from './heap.ts'

/** `offered` is the rank under which the lane stands among its group's open ones; entries of any other rank are stale. */
type Lane = { claim: Claim | null; units: Heap<Unit>; group: Group; open: boolean; offered: number | null }
type Group = { name: string; lanes: Map<string, Lane>; open: Heap<{ rank: number; lane: Lane }> }

export class ReadyQueue {
  readonly #groups = new Map<string, Group>()
  readonly #shut = new Map<number, Lane[]>()
  readonly #claims: ClaimTable
  readonly #waiting = new Set<number>()

  constructor(claims: ClaimTable) {
    this.#claims = claims
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Group '' where no cap asks for more than one. */
  push(unit: Unit, group: string): void {
    this.#waiting.add(unit.index)
    this.#place(unit, this.#group(group), unit.claims[0] ?? null)
  }

  withdraw(unit: number): void {
    this.#waiting.delete(unit)
  }

  /** Something this holder held is free again. */
  released(holder: number): void {
    for (const lane of this.#shut.get(holder) ?? []) this.#offer(lane)
    this.#shut.delete(holder)
  }

  /** The best unit that could start now; groups for which `held` answers true come second. It stays in the queue. */
  best(held: (group: string) => boolean): Unit | null {
    let first: Unit | null = null
    let second: Unit | null = null
    for (const group of this.#groups.values()) {
      const unit = this.#bestOf(group)
      if (!unit) continue
      if (held(group.name)) second = better(second, unit)
      else first = better(first, unit)
    }
    return first ?? second
  }

  #bestOf(group: Group): Unit | null {
    for (;;) {
      const entry = group.open.peek()
      if (!entry) return null
      const { lane } = entry
      const unit = lane.units.peek()
      if (entry.rank !== lane.offered || !unit) {
        group.open.pop()
        continue
      }
      if (!this.#waiting.has(unit.index)) {
        lane.units.pop()
        this.#offer(lane)
        continue
      }
      const shutBy = lane.claim && this.#claims.blocker(lane.claim)
      if (shutBy !== null) {
        this.#shutLane(lane, shutBy)
        continue
      }
      const blocked = unit.claims.find((claim) => this.#claims.blocker(claim) !== null)
      if (!blocked) return unit
      lane.units.pop()
      this.#offer(lane)
      this.#place(unit, group, blocked)
    }
  }

  #place(unit: Unit, group: Group, claim: Claim | null): void {
    const key = laneKey(claim)
    let lane = group.lanes.get(key)
    if (!lane) {
      lane = { claim, units: new Heap((u) => u.rank), group, open: true, offered: null }
      group.lanes.set(key, lane)
    }
    lane.units.push(unit)
    if (lane.open && (lane.offered === null || unit.rank < lane.offered)) this.#offer(lane)
  }

  /** Puts a lane among the open ones of its group, under its best unit. */
  #offer(lane: Lane): void {
    const unit = lane.units.peek()
    lane.open = true
    lane.offered = unit ? unit.rank : null
    if (unit) lane.group.open.push({ rank: unit.rank, lane })
    else lane.group.lanes.delete(laneKey(lane.claim))
  }

  #shutLane(lane: Lane, holder: number): void {
    lane.open = false
    lane.offered = null
    const lanes = this.#shut.get(holder)
    if (lanes) lanes.push(lane)
    else this.#shut.set(holder, [lane])
  }

  #group(name: string): Group {
    let group = this.#groups.get(name)
    if (!group) {
      group = { name, lanes: new Map(), open: new Heap((entry) => entry.rank) }
      this.#groups.set(name, group)
    }
    return group
  }
}

function laneKey(claim: Claim | null): string {
  return claim ? `${claim.mode}:${claim.pattern}` : ''
}

function better(a: Unit | null, b: Unit): Unit {
  return a && a.rank < b.rank ? a : b
}
