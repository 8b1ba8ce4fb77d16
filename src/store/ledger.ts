// The part of the seam that knows the tasks of plan files over all runs: which run had which, and what became of it. Plan
// files outlive runs, and so does this: of a run that is removed it stays known what it has landed.
//
// Properties
// - How a task stands here is written in the transaction that writes its view, so the two never differ.
// - Files are called by one name in every checkout of a repository (engine/plan-file/plan-file-name-in-ledger.ts).
import type { TaskStatus } from '../status.ts'

export type FileTask = {
  file: string
  format: string
  /** As `--part` said it. */
  part: string | null
  source: string
  /** The fingerprint of what is to be done for it, and the same without numbers where such files are renamed. */
  says: string
  numberless: string | null
}

export type PlanTask = FileTask & {
  run: string
  runAt: number
  branch: string
  task: string
  status: TaskStatus
  /** What landed it on the branch of the run. */
  commit: string | null
  begunAt: number | null
  endedAt: number | null
}

export type PlanTaskQuery = {
  run?: string
  besides?: string
  format?: string
  statuses?: readonly TaskStatus[]
  begunAfter?: number
  endedAfter?: number
}

export interface LedgerViews {
  planTasks(query: PlanTaskQuery): Promise<PlanTask[]>
  planFiles(): Promise<string[]>
}

export interface LedgerStore {
  /** What the plan file of a run says of its tasks now. How they stand stays as it is. */
  putPlanTasks(run: string, branch: string, tasks: readonly (FileTask & { task: string })[]): Promise<void>
  /** Runs that are removed, and of which it is still known what they have landed. The newest first. */
  removedRuns(): Promise<{ run: string; branch: string }[]>
  forgetPlanTasks(runs: readonly string[]): Promise<void>
}
