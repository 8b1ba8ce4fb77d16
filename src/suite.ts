// What makes a run a suite: which tasks are which entry, and how their results are to be judged. The plan of the run has it,
// so that whoever resumes or reads the run knows it.

export type Suite = {
  /** Every one that is executed: an entry of the file times its variants, repetitions, shards and trees. */
  entries: SuiteEntry[]
  /** How many worktrees of failed entries are kept as they were. */
  keepFailed: number
  /** True: the worktrees of the pool are removed when the run is over. */
  cleanup: boolean
  /** The commit that the other side starts from, where two trees are compared. */
  compared: string | null
}

export type SuiteEntry = {
  /** Unique in the run; its tasks are named by it. */
  id: string
  /** What the file calls it. */
  entry: string
  tasks: string[]
  /** The shell command, or the plan file whose tasks are its tasks. */
  runs: { kind: 'command'; command: string } | { kind: 'plan'; file: string }
  /** By axis of the matrix. */
  variant: Record<string, string>
  /** From 1; null: it is executed once. */
  repetition: number | null
  shard: Shard | null
  /** Of a comparison: the tree it is executed on. */
  side: 'base' | 'head' | null
  /** Known to be flaky: it is reported, and does not fail the suite. */
  quarantined: boolean
}

export type Shard = { number: number; of: number; files: string[] }

/** What its results are compared with over time: the same for all repetitions, and other than the tree. */
export function historyKey({ entry, variant, shard }: Pick<SuiteEntry, 'entry' | 'variant' | 'shard'>): string {
  const values = Object.entries(variant).map(([axis, value]) => `${axis}=${value}`)
  const part = shard ? [`shard ${shard.number}/${shard.of}`] : []
  return [entry, ...values, ...part].join(' ')
}
