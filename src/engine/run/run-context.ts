// What a run is executed with.
import type { Machine } from '../../attempt/attempt-context.ts'
import type { AttemptRunner } from '../../attempt/attempt-order.ts'
import type { Settings } from '../../config.ts'
import type { Fact } from '../../event.ts'
import type { Landing } from '../../landing/landing.ts'
import type { Templates } from '../../prompts/templates.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import type { Learner } from '../expertise/learner.ts'
import type { PlanFileStatus } from '../plan-file/plan-file-status.ts'
import type { Growth } from './added-tasks.ts'
import type { Journal } from './journal.ts'

export type RunContext = {
  id: string
  state: RunState
  settings: Settings
  locked: LockedWorkspace
  machine: Machine
  journal: Journal
  landing: Landing
  runner: AttemptRunner
  templates: Templates
  learner: Learner
  growth: Growth
  /** Null: it was not read from one file or folder. */
  planFile: string | null
  /** Those in the repository that are written to. */
  planFiles: readonly string[]
  /** Null where the plan file is not written to. */
  planFileStatus: PlanFileStatus | null
}

/** How those who do what was decided tell the run what came of it. */
export type Telling = {
  fact(fact: Fact): void
  /** What an agent says while it works. */
  progress(task: string, attempt: number, message: string): void
  /** The machine does not let it go on; what is under way can be taken up later. */
  stuck(message: string): void
  bug(error: unknown): void
}
