// What a run is executed with.
import type { AttemptRunner } from '../../attempt/attempt-order.ts'
import type { Settings } from '../../config.ts'
import type { AddedTasks, Event, Fact } from '../../event.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import type { LandItem } from '../../landing/build.ts'
import type { LandItems, Landing } from '../../landing/land.ts'
import type { Result } from '../../problem.ts'
import type { Templates } from '../../prompts/templates.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { Store } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import type { SearchGrowth } from '../../workloads/search/growth.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Learner } from '../expertise/learner.ts'
import type { PlanFileStatus } from '../plan-file/plan-file-status.ts'
import type { Publisher } from './publish-to-user-repository.ts'

export type RunContext = {
  id: string
  workspace: Workspace
  repo: string
  plan: Plan
  /** Null: it was not read from one file or folder. */
  planFile: string | null
  state: RunState
  /** Events already in the journal. */
  seq: number
  /** Those events, where they have been read anyway. */
  past: Event[] | null
  /** When the engine before this one told attempts to stop, by task. */
  stoppedAt: ReadonlyMap<string, number>
  /** How many processes of earlier attempts were found and ended when the run was opened. */
  orphansEnded: number
  store: Store
  folder: StateFolder
  /** The store, the lock and what else is given back when the run is let go. */
  resources: AsyncDisposable
  settings: Settings
  environment: NodeJS.ProcessEnv
  engine: EngineRepository
  include: readonly string[]
  templates: Templates
  learner: Learner
  /** Who executes attempts. */
  runner: AttemptRunner
  /** New tasks with the estimates of earlier runs, or why the settings do not allow them. */
  prepare(added: AddedTasks): Result<AddedTasks>
  /** Merges, for verification. */
  build(items: LandItem[], onto: string): Promise<Landing>
  /** Merges and lands. */
  land(items: LandItem[], onto: string): Promise<Landing>
  /** Lands what was merged before. */
  move(items: LandItems['items'], onto: string): Promise<Landing>
  publisher: Publisher
  /** Those in the repository that are written to. */
  planFiles: readonly string[]
  /** Null where the plan file is not written to. */
  planFileStatus: PlanFileStatus | null
  /** How it grows, where it is a search. */
  search: SearchGrowth | null
}

// What whoever does the decisions of a run tells it.

export type Telling = {
  fact(fact: Fact): void
  /** What an agent says while it works. */
  progress(task: string, attempt: number, message: string): void
  /** The machine does not let it go on; what is under way can be taken up later. */
  stuck(message: string): void
  bug(error: unknown): void
}
