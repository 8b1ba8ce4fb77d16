// Tasks that are named together and could still run at the same time: perhaps one should have waited.
import { type Phase, stateOf, type TaskLine } from './lines.ts'
import type { Range } from './names.ts'

export type Pair = { task: TaskLine; other: TaskLine; line: number }

type WaitsFor = (task: TaskLine) => readonly { other: TaskLine }[]

/** One speaks of the other. `waitsFor`: what a task waits for besides the order of the lines. */
export function unorderedMentions(phases: readonly Phase[], waitsFor: WaitsFor): Pair[] {
  const unordered = inAnyOrder(phases, waitsFor)
  return phases.flatMap(({ tasks }) =>
    tasks.flatMap((task) =>
      [...new Set(task.references.mentions)].flatMap((name) => unordered(task.id, name, task.line)),
    ),
  )
}

/** A line that speaks of the order names both, and does not say clearly which waits: each and the next. */
export function unorderedInLines(
  lines: readonly (readonly Range[])[],
  phases: readonly Phase[],
  waitsFor: WaitsFor,
): Pair[] {
  const unordered = inAnyOrder(phases, waitsFor)
  return lines.flatMap((names) =>
    names.slice(1).flatMap(({ first, line }, i) => unordered(names[i]?.last ?? '', first, line)),
  )
}

/** Gives the two as a pair if they are open tasks of one phase, and neither waits for the other. */
function inAnyOrder(phases: readonly Phase[], waitsFor: WaitsFor) {
  const known = new Map<string, { task: TaskLine; phase: Phase }>()
  for (const phase of phases)
    for (const task of phase.tasks) if (stateOf(task) === 'open') known.set(task.id, { task, phase })
  return (name: string, otherName: string, line: number): Pair[] => {
    const [one, two] = [known.get(name), known.get(otherName)]
    // Phases wait for each other.
    if (!one || !two || one === two || one.phase !== two.phase) return []
    const [task, other] = [one.task, two.task]
    const isHere = (next: TaskLine): boolean => known.get(next.id)?.phase === one.phase
    const isOrdered = isBehind(task, other, isHere, waitsFor) || isBehind(other, task, isHere, waitsFor)
    return isOrdered ? [] : [{ task, other, line }]
  }
}

/** So many tasks are looked at for one mention: what is said about it is a hint, and may be left unsaid. */
const MAX_LOOKED_AT = 100

function isBehind(task: TaskLine, other: TaskLine, isHere: (task: TaskLine) => boolean, waitsFor: WaitsFor): boolean {
  const seen = new Set([task])
  let lookedAt = 0
  for (const one of seen) {
    // A line without `[P]` waits for all above it in its phase.
    if (one === other || (!one.isParallel && one.line > other.line)) return true
    for (const { other: next } of waitsFor(one)) {
      if (lookedAt++ >= MAX_LOOKED_AT) return true
      if (isHere(next)) seen.add(next)
    }
  }
  return false
}
