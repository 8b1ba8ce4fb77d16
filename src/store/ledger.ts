// The part of the seam that knows the tasks of plan files over all runs: which run had which, and what landed it. Plan files
// outlive runs, and so does this: of a run that is removed it stays known what it has landed.
//
// Properties
// - The status of a task here is written in the transaction that writes its view, so the two never differ.
// - Files are called by one name in every checkout of a repository (`planFileName` in engine/plan-file/kept-tasks.ts).

export type FileTask = {
  file: string
  format: string
  /** As `--part` named it. */
  part: string | null
  source: string
  /** The hash of the task's text. */
  says: string
}

export type LandedTask = FileTask & {
  run: string
  runAt: number
  branch: string
  task: string
  /** What landed it on the branch of the run. */
  commit: string
}

/** Of a row of `plan_task`, whichever database it is from. */
export function landedTask(row: Record<string, unknown>): LandedTask {
  const text = (name: string) => String(row[name])
  return {
    run: text('run'),
    runAt: Number(row.run_at),
    branch: text('branch'),
    task: text('task'),
    file: text('file'),
    format: text('format'),
    part: row.part === null ? null : text('part'),
    source: text('source'),
    says: text('says'),
    commit: text('landed_commit'),
  }
}

export interface LedgerViews {
  /** What runs have landed of plan files after `since`: of the newest run first. */
  landedTasks(since: number): Promise<LandedTask[]>
  planFiles(): Promise<string[]>
}

export interface LedgerStore {
  /** What the plan file of a run says of its tasks now. Their statuses stay. */
  putPlanTasks(run: string, branch: string, tasks: readonly (FileTask & { task: string })[]): Promise<void>
  /** Runs that are removed, and of which it is still known what they have landed. The newest first. */
  removedRuns(): Promise<{ run: string; branch: string }[]>
  forgetPlanTasks(runs: readonly string[]): Promise<void>
}
