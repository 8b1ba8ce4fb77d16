// What of a plan has to be done one after the other because of its claims, and takes longest: no schedule is faster than
// that. Any set of tasks of which no two may run at the same time will do; the longest of all such sets is too hard to
// find in a large plan, so this is a good one, found with a limited amount of looking.
//
// What is looked at are *places*: a pattern with all who write it, or with the one reader of it that takes longest, since
// readers do not wait for each other. If all places of a set meet each other, so do the claims of everybody in them.
import type { Task } from '../../task.ts'
import { meetingPatterns } from './meeting-patterns.ts'
import type { TaskGraph } from './task-graph.ts'

export type BusiestClaim = {
  /** Of the place where most of them are. */
  pattern: string
  /** All of them write to this very pattern; else some have others, which overlap. */
  alike: boolean
  tasks: number
  /** Of all of them, one after the other. */
  ms: number
  /** With what has to come before the first and after the last of them: no schedule is faster. */
  boundMs: number
}

const BUDGET = {
  /** Comparisons of two patterns. */
  comparisons: 50_000,
  /** Places that a set is built around. */
  starts: 100,
  /** Looks at whether two places meet, and at who is in them. */
  looks: 1_000_000,
}

/** `times`: of each task, in ms. Null: nobody waits for anybody. */
export function busiestClaim(tasks: readonly Task[], times: readonly number[], graph: TaskGraph): BusiestClaim | null {
  const places = placesOf(unitsOf(tasks, times, graph))
  const meets = meetingPlaces(places)
  const atMostMs = places.map((place, at) => {
    let ms = boundOf(place)
    for (const other of meets[at] ?? []) ms += places[other]?.ms ?? 0
    return ms
  })
  const starts = [...places.keys()].sort((a, b) => (atMostMs[b] as number) - (atMostMs[a] as number))
  const budget = { ...BUDGET }
  let best = heaviest(places)
  for (const start of starts.slice(0, budget.starts)) {
    if ((atMostMs[start] as number) <= (best?.boundMs ?? 0) || budget.looks < 0) break
    const found = summed(setAround(start, places, meets, budget))
    if (found.tasks > 1 && found.boundMs > (best?.boundMs ?? -1)) best = found
  }
  return best
}

/** Whom nobody is faster than, in words. `pattern`: as it is to be shown. */
export function busiestClaimText({ alike, tasks, ms, boundMs }: BusiestClaim, pattern: string): string {
  const claims = alike ? `that claim ${pattern}` : `whose claims overlap (${pattern} among them)`
  const around = boundMs > ms ? ', with what has to come before and after them' : ''
  return `${tasks.toLocaleString('en-US')} tasks ${claims}, one after the other${around}`
}

/** How long something takes, and what has to come before and after it, at least. */
type Span = { ms: number; beforeMs: number; afterMs: number }

function boundOf({ ms, beforeMs, afterMs }: Span): number {
  return ms + beforeMs + afterMs
}

/** What runs as one, with the claims of all its tasks: they are held until the last of them is done. `write`: once a task. */
type Unit = Span & { tasks: number; write: string[]; read: string[] }

function unitsOf(tasks: readonly Task[], times: readonly number[], graph: TaskGraph): Unit[] {
  const { before, after } = chainsAround(times, graph)
  const shared = new Map<string, Unit>()
  const units: Unit[] = []
  tasks.forEach(({ claims: { write, read }, epic, isolation }, at) => {
    const known = isolation === 'epic' && epic !== null ? shared.get(epic) : undefined
    const unit = known ?? { tasks: 0, ms: 0, beforeMs: Infinity, afterMs: Infinity, write: [], read: [] }
    if (!known) units.push(unit)
    if (isolation === 'epic' && epic !== null) shared.set(epic, unit)
    unit.tasks++
    unit.ms += times[at] ?? 0
    // The least of all members: which of them is the first or the last does not matter then.
    unit.beforeMs = Math.min(unit.beforeMs, before[at] ?? 0)
    unit.afterMs = Math.min(unit.afterMs, after[at] ?? 0)
    unit.write.push(...new Set(write))
    unit.read.push(...read)
  })
  return units
}

/** Of each task, the longest chain of what it waits for, and of what waits for it. */
function chainsAround(times: readonly number[], graph: TaskGraph): { before: Float64Array; after: Float64Array } {
  const before = new Float64Array(times.length)
  const after = new Float64Array(times.length)
  for (const task of graph.order)
    for (const need of graph.before[task] ?? [])
      before[task] = Math.max(before[task] ?? 0, (before[need] ?? 0) + (times[need] ?? 0))
  for (const task of graph.order.toReversed())
    for (const need of graph.before[task] ?? [])
      after[need] = Math.max(after[need] ?? 0, (after[task] ?? 0) + (times[task] ?? 0))
  return { before, after }
}

/** `writers`: how many tasks of its units have this very pattern. */
type Place = Span & { pattern: string; mode: 'write' | 'read'; units: Unit[]; writers: number }

function placesOf(units: readonly Unit[]): Place[] {
  const writes = new Map<string, Place>()
  const reads = new Map<string, Place>()
  for (const unit of units) {
    for (const pattern of unit.write) {
      const place = writes.get(pattern) ?? newPlace(pattern, 'write')
      place.writers++
      writes.set(pattern, place)
      if (place.units.at(-1) !== unit) addUnit(place, unit)
    }
    for (const pattern of unit.read) {
      if (unit.ms <= (reads.get(pattern)?.ms ?? -1)) continue
      const place = newPlace(pattern, 'read')
      addUnit(place, unit)
      reads.set(pattern, place)
    }
  }
  return [...writes.values(), ...reads.values()]
}

function newPlace(pattern: string, mode: Place['mode']): Place {
  return { pattern, mode, units: [], writers: 0, ms: 0, beforeMs: Infinity, afterMs: Infinity }
}

function addUnit(place: Place, unit: Unit): void {
  place.units.push(unit)
  place.ms += unit.ms
  place.beforeMs = Math.min(place.beforeMs, unit.beforeMs)
  place.afterMs = Math.min(place.afterMs, unit.afterMs)
}

/** Of each place, those whose holders it keeps waiting. */
function meetingPlaces(places: readonly Place[]): Set<number>[] {
  const meets = places.map(() => new Set<number>())
  const at = Map.groupBy(places.keys(), (place) => places[place]?.pattern ?? '')
  const budget = { comparisons: BUDGET.comparisons }
  for (const [one, other] of meetingPatterns([...at.keys()], budget))
    for (const a of at.get(one) ?? [])
      for (const b of at.get(other) ?? []) {
        if (a === b || (places[a]?.mode === 'read' && places[b]?.mode === 'read')) continue
        meets[a]?.add(b)
        meets[b]?.add(a)
      }
  return meets
}

type PlaceSet = Span & { places: Place[]; units: Set<Unit> }

/** Takes the heaviest first: each that meets all that were taken before, and makes the set a better one. */
function setAround(
  start: number,
  places: readonly Place[],
  meets: readonly ReadonlySet<number>[],
  budget: { looks: number },
): PlaceSet {
  const taken: number[] = []
  let set: PlaceSet = { places: [], units: new Set(), ms: 0, beforeMs: Infinity, afterMs: Infinity }
  const near = [...(meets[start] ?? [])].sort((a, b) => (places[b]?.ms ?? 0) - (places[a]?.ms ?? 0))
  for (const at of [start, ...near]) {
    const place = places[at] as Place
    budget.looks -= taken.length + place.units.length
    if (budget.looks < 0) break
    if (!taken.every((one) => meets[one]?.has(at))) continue
    const more = withPlace(set, place)
    if (taken.length > 0 && boundOf(more) <= boundOf(set)) continue
    for (const unit of place.units) more.units.add(unit)
    taken.push(at)
    set = more
  }
  return set
}

/** Who is in both counts once. The units themselves are the same as before. */
function withPlace(set: PlaceSet, place: Place): PlaceSet {
  let { ms } = set
  for (const unit of place.units) if (!set.units.has(unit)) ms += unit.ms
  return {
    places: [...set.places, place],
    units: set.units,
    ms,
    beforeMs: Math.min(set.beforeMs, place.beforeMs),
    afterMs: Math.min(set.afterMs, place.afterMs),
  }
}

function heaviest(places: readonly Place[]): BusiestClaim | null {
  let most: BusiestClaim | null = null
  for (const place of places) {
    if (place.mode === 'read' || boundOf(place) <= (most?.boundMs ?? -1)) continue
    const found = summed({ ...place, places: [place], units: new Set(place.units) })
    if (found.tasks > 1) most = found
  }
  return most
}

function summed(set: PlaceSet): BusiestClaim {
  const [main] = set.places.toSorted((a, b) => b.ms - a.ms || a.pattern.length - b.pattern.length)
  let tasks = 0
  for (const unit of set.units) tasks += unit.tasks
  const isAlike = main?.writers === tasks
  return { pattern: main?.pattern ?? '', alike: isAlike, tasks, ms: set.ms, boundMs: boundOf(set) }
}
