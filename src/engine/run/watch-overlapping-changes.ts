// Notices that two running tasks change the same paths: their work may not merge, and who hears of it early can do
// something about it. Claims keep tasks apart that declared what they write; this is about those that did not.
//
// Properties
// - Only worktrees are read, with the engine's own index, while their agents are at work. Nothing is written in there.
// - One look at a time, one git process at a time, and looking takes a small share of the time however long it takes.
// - A look that fails says nothing: it is repeated anyway.
// - What the journal says already is not reported again, also by another engine.
import { LIMITS } from '../../config.ts'
import type { Fact } from '../../event.ts'
import { coveringPaths, isCovered } from '../../scheduler/claims/covering-paths.ts'
import { indexOf, type RunState, record } from '../../scheduler/state.ts'

export type Working = {
  task: string
  attempt: number
  /** Null: no agent is at work there. A worktree that is being put in order for another attempt says nothing. */
  changedPaths(): Promise<string[] | null>
}

type Overlapped = Extract<Fact, { type: 'attempt.overlapped' }>

export class OverlapWatch {
  readonly #state: RunState
  readonly #tell: (fact: Overlapped) => void
  #looking = false
  #restsUntil = 0

  constructor(state: RunState, tell: (fact: Overlapped) => void) {
    this.#state = state
    this.#tell = tell
  }

  async look(working: readonly Working[]): Promise<void> {
    const startedAt = performance.now()
    if (this.#looking || working.length < 2 || startedAt < this.#restsUntil) return
    this.#looking = true
    try {
      const changed = new Map<Working, string[]>()
      for (const one of working) {
        const paths = await one.changedPaths().catch(() => null)
        if (paths) changed.set(one, paths.slice(0, LIMITS.comparedPaths))
      }
      for (const fact of overlapsOf(changed)) if (isNews(this.#state, fact)) this.#tell(fact)
    } finally {
      this.#looking = false
      const now = performance.now()
      this.#restsUntil = now + (now - startedAt) * REST_FACTOR
    }
  }
}

/** Looking takes at most a tenth of the time. */
const REST_FACTOR = 9

/** Whether both attempts run and something of it is not known yet. */
export function isNews(state: RunState, { attempts, paths }: Overlapped): boolean {
  const isAlive = ({ task, attempt }: Overlapped['attempts'][number]) => {
    const { state: current } = record(state, indexOf(state, task))
    return current.status === 'running' && current.attempt === attempt
  }
  if (!attempts.every(isAlive)) return false
  const [a, b] = attempts
  const { overlaps = [] } = record(state, indexOf(state, a.task)).history.at(-1) ?? {}
  const known = new Set(overlaps.find(({ task }) => task === b.task)?.paths)
  return paths.some((path) => !isCovered(path, known))
}

/** Pairs in the order of the tasks given; the first ones only. */
export function overlapsOf(changed: ReadonlyMap<Pick<Working, 'task' | 'attempt'>, readonly string[]>): Overlapped[] {
  const who = new Map<string, Pick<Working, 'task' | 'attempt'>[]>()
  for (const [one, paths] of changed)
    for (const path of new Set(paths)) {
      const others = who.get(path)
      if (others) others.push(one)
      else who.set(path, [one])
    }
  const pairs = new Map<string, { attempts: Overlapped['attempts']; paths: string[] }>()
  for (const [path, those] of who) for (const pair of pairsOf(those)) note(pairs, pair, path)
  return [...pairs.values()].map(({ attempts, paths }) => ({
    type: 'attempt.overlapped',
    attempts,
    paths: coveringPaths(paths, LIMITS.overlapPaths),
    count: paths.length,
  }))
}

function note(
  pairs: Map<string, { attempts: Overlapped['attempts']; paths: string[] }>,
  [a, b]: Overlapped['attempts'],
  path: string,
): void {
  const key = `${a.task} ${b.task}`
  const pair = pairs.get(key)
  if (pair) pair.paths.push(path)
  else if (pairs.size < LIMITS.overlapPairs) pairs.set(key, { attempts: [a, b], paths: [path] })
}

/** Of a path that everybody changes, as many pairs as are told. */
function* pairsOf(those: Pick<Working, 'task' | 'attempt'>[]): Generator<Overlapped['attempts']> {
  let left: number = LIMITS.overlapPairs
  for (const [n, a] of those.entries())
    for (const b of those.slice(n + 1)) {
      if (left-- === 0) return
      yield [
        { task: a.task, attempt: a.attempt },
        { task: b.task, attempt: b.attempt },
      ]
    }
}
