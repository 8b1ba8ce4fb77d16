// All that the prompt of an attempt is made of.
import type { Settings } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { PathList } from '../status.ts'
import type { Task } from '../task.ts'

export type PromptFacts = {
  task: Pick<Task, 'id' | 'title' | 'claims' | 'protected' | 'unprotected' | 'verify' | 'land' | 'completion'>
  /** The task's own words. */
  prompt: string
  /** The title of its epic. */
  epic: string | null
  /** What the whole plan is for. */
  objective: string | null
  /** What the run does about work outside of claims. */
  claims: Settings['claims']
  /** What has to pass on the merged result. */
  landingVerify: readonly string[]
  /** What it builds on; more than are listed are only counted. */
  needs: { listed: readonly NeedFacts[]; count: number }
  /** What is known of such work in this repository, a line each. */
  expertise: readonly string[]
  /** Files in the repository that the run writes into how its tasks stand. */
  planFiles: readonly string[]
  /** Its agent has the tools of the task manager. */
  mcp: boolean
  /** The files in conflict, where the worktree holds one. */
  conflict: readonly string[] | null
  earlier: Earlier | null
}

/** One that has not run yet has a title only. */
export type NeedFacts = {
  id: string
  title: string
  summary: string | null
  touched: PathList | null
  commit: string | null
}

/** An attempt before this one that failed. */
export type Earlier = { attempt: number; failure: Failure; outputTail: string }
