// What the prompt of an attempt is made of.
import type { Settings } from '../config.ts'
import type { Failure } from '../event.ts'
import type { Task } from '../task.ts'
import type { PathList } from '../view.ts'

export type PromptFacts = {
  task: Pick<Task, 'id' | 'title' | 'claims' | 'protected' | 'unprotected' | 'verify' | 'land' | 'completion'>
  prompt: string
  epic: string | null
  objective: string | null
  /** What the run does about changes outside of claims. */
  claims: Settings['claims']
  landingVerify: readonly string[]
  /** Tasks it needs; beyond the listed ones only counted. */
  needs: { listed: readonly NeedFacts[]; count: number }
  expertise: readonly string[]
  /** Plan files in the repository, into which the run writes task statuses. */
  planFiles: readonly string[]
  mcp: boolean
  conflict: readonly string[] | null
  earlier: Earlier | null
  /** The attempt whose work it continues, if there is one. */
  interrupted?: Interrupted | null
}

/** A task that has not run yet has a title only. */
export type NeedFacts = {
  id: string
  title: string
  summary: string | null
  touched: PathList | null
  commit: string | null
}

export type Earlier = { attempt: number; failure: Failure; outputTail: string }

/** An attempt before this one that was interrupted, and whose work this one continues. */
export type Interrupted = Earlier & {
  /** It had changed something. */
  hasWork: boolean
}
