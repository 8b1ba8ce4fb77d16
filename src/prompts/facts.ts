import type { Settings } from '../config.ts'
import type { Failure, PathList } from '../event.ts'
import type { Task } from '../task.ts'

export type PromptFacts = {
  task: Pick<Task, 'id' | 'title' | 'claims' | 'protected' | 'unprotected' | 'verify' | 'land' | 'completion'>
  prompt: string
  epic: string | null
  objective: string | null
  /** Policy for changes outside of claims. */
  claims: Settings['claims']
  landingVerify: readonly string[]
  /** `count`: of all needs; beyond `listed` they are only counted. */
  needs: { listed: readonly NeedFacts[]; count: number }
  expertise: readonly string[]
  /** Plan files in the repository, into which the run writes task statuses. */
  planFiles: readonly string[]
  mcp: boolean
  conflict: readonly string[] | null
  earlier: Earlier | null
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

/** An interrupted attempt whose work the next one continues. */
export type Interrupted = Earlier & {
  hasWork: boolean
}
