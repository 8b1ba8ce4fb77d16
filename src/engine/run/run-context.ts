// The parts that a run works with.
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
import type { Clock } from './clock.ts'
import type { Journal } from './journal.ts'
import type { Growth } from './run-growth.ts'

export type RunContext = {
  id: string
  state: RunState
  settings: Settings
  locked: LockedWorkspace
  machine: Machine
  /** Values of the machine's environment that are not written anywhere. */
  secrets: readonly string[]
  clock: Clock
  journal: Journal
  landing: Landing
  runner: AttemptRunner
  templates: Templates
  learner: Learner
  growth: Growth
  planFile: {
    /** Null: the plan was not read from one file or folder. */
    path: string | null
    /** Its files, as git names them. */
    inRepository: readonly string[]
    status: PlanFileStatus | null
  }
}

export type Telling = {
  fact(fact: Fact): void
  progress(task: string, attempt: number, message: string): void
  /** The environment does not let the run continue; running attempts can be taken up later. */
  stuck(message: string): void
  bug(error: unknown): void
}
