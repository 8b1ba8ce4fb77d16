// Tasks that speak of each other and could still run at the same time: perhaps one should have waited.
import { type Phase, stateOf, type TaskLine } from './spec-kit-lines.ts'

export type Mention = { task: TaskLine; other: TaskLine }

type WaitsFor = (task: TaskLine) => readonly { other: TaskLine }[]

/** `waitsFor`: what a task waits for besides the order of the lines. */
export function unorderedMentions(phases: readonly Phase[], waitsFor: WaitsFor): Mention[] {
  return phases.flatMap(({ tasks }) => {
    const open = tasks.filter((task) => stateOf(task) === 'open')
    // Phases wait for each other.
    const here = new Map(open.map((task) => [task.id, task]))
    const waits = (task: TaskLine, other: TaskLine): boolean => isBehind(task, other, here, waitsFor)
    return open.flatMap((task) =>
      [...new Set(task.mentions)].flatMap((name) => {
        const other = here.get(name)
        if (!other || other === task || waits(task, other) || waits(other, task)) return []
        return [{ task, other }]
      }),
    )
  })
}

/** So many tasks are looked at for one mention: what is said about it is a hint, and may be left unsaid. */
const MAX_LOOKED_AT = 100

function isBehind(task: TaskLine, other: TaskLine, here: ReadonlyMap<string, TaskLine>, waitsFor: WaitsFor): boolean {
  const seen = new Set([task])
  let lookedAt = 0
  for (const one of seen) {
    // A line without `[P]` waits for all above it in its phase.
    if (one === other || (!one.isParallel && one.line > other.line)) return true
    for (const { other: next } of waitsFor(one)) {
      if (lookedAt++ >= MAX_LOOKED_AT) return true
      if (here.get(next.id) === next) seen.add(next)
    }
  }
  return false
}
