// Facts that make a run a suite: which tasks form an entry, and how results are judged. Part of the run's plan, so that
// resuming and reading find them.

export type Suite = {
  /** Every one that is executed: an entry of the file times its variants, repetitions, shards and trees. */
  entries: SuiteEntry[]
  /** Worktrees of failed entries that are kept. */
  keepFailed: number
  /** True: the worktrees of the pool are removed when the run is over. */
  cleanup: boolean
  /** The commit that the other side starts from, where two trees are compared. */
  compared: string | null
}

export type SuiteEntry = {
  /** Unique in the run; its tasks are named by it. */
  id: string
  /** Name in the suite file. */
  entry: string
  tasks: string[]
  /** The shell command, or the plan file whose tasks are its tasks. */
  runs: { kind: 'command'; command: string } | { kind: 'plan'; file: string }
  /** Values by axis of the matrix. */
  variant: Record<string, string>
  /** From 1; null: it is executed once. */
  repetition: number | null
  shard: { number: number; of: number; files: string[] } | null
  /** Tree of a comparison on which it is executed. */
  side: 'base' | 'head' | null
  /** Known to be flaky: it is reported, and does not fail the suite. */
  quarantined: boolean
}

/** Key under which results are compared over time: the same for all repetitions, different for each tree. */
export function historyKey({ entry, variant, shard }: Pick<SuiteEntry, 'entry' | 'variant' | 'shard'>): string {
  const values = Object.entries(variant).map(([axis, value]) => `${axis}=${value}`)
  const part = shard ? [`shard ${shard.number}/${shard.of}`] : []
  return [entry, ...values, ...part].join(' ')
}
