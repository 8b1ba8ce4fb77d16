// What is done to a fleet in a round: how often of each kind is said, the rest follows from the seed.
import type { Random } from '../../../test/simulation/random.ts'

export type Harm = {
  kind: 'kill' | 'partition' | 'restart'
  target: 'worker' | 'coordinator' | 'server'
  /** Long enough to be given up by the others; a worker that is killed goes with its whole machine. */
  isLong: boolean
}

export function harmsOf(
  { kills, partitions, restarts }: { kills: number; partitions: number; restarts: number },
  rnd: Random,
): Harm[] {
  const each = (count: number, kind: Harm['kind'], targets: readonly Harm['target'][]) =>
    Array.from({ length: count }, (_, n) => {
      const target = targets[n % targets.length] as Harm['target']
      return { kind, target, isLong: n % 2 === 0 }
    })
  const all = [
    ...each(kills, 'kill', KILLED),
    ...each(partitions, 'partition', CUT),
    ...each(restarts, 'restart', ['server']),
  ]
  for (let n = all.length - 1; n > 0; n--) {
    const other = rnd.int(n + 1)
    ;[all[n], all[other]] = [all[other] as Harm, all[n] as Harm]
  }
  return all
}

/** Mostly workers: there are so many more of them. */
const KILLED = [
  ...(['worker', 'coordinator', 'worker', 'worker', 'server'] as const),
  ...(['worker', 'worker', 'coordinator', 'worker', 'worker'] as const),
]
const CUT = ['worker', 'server', 'worker', 'coordinator', 'worker'] as const
