// A plan after reading: plain data, checked, with every default filled in.
import type { Search, SearchRole } from './search-definition.ts'
import type { Suite } from './suite-definition.ts'

/** Everything that becomes a ref, a path or an environment variable matches this. */
export const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Pattern of machine labels. */
export const LABEL_PATTERN = /^[a-z0-9][a-z0-9._-]{0,39}$/

export type Plan = {
  name: string
  /** Purpose of the plan, in a sentence. */
  objective?: string | undefined
  /** The commit-ish the run starts from; null means HEAD. */
  base: string | null
  /** Resources that tasks share: `gpu`, `port`. */
  resources?: Record<string, Resource> | undefined
  /** Settings of a search, whose tasks are added while it runs. */
  search?: Search | undefined
  /** Settings of a suite. */
  suite?: Suite | undefined
  epics: Epic[]
  /** Tasks in the order of the file; every id is unique and every need exists. */
  tasks: Task[]
}

/** `env`: variables for whoever uses one; `{index}` is its number, from 0, with as many digits as the last one has. */
export type Resource = { count: number; env?: Record<string, string> | undefined }

export type Epic = {
  id: string
  title: string
  /** Every task of this epic needs every task of those epics. The reader has already expanded this into tasks. */
  needs: string[]
  /** Budget of its tasks together, in US dollars. */
  budgetUsd?: number | undefined
  /** Decisions behind it: references such as `ADR-12`. */
  decisions?: string[] | undefined
  /** Total time of its tasks if they share a worktree, from the start of the first. */
  timeoutMs?: number | undefined
}

export type Task = {
  id: string
  title: string
  epic: string | null
  /** Start only after these have landed; if one fails, this task is blocked. */
  needs: string[]
  /** Start only after these have come to rest, however they ended. */
  after: string[]
  /** Begins with the commit that this task left, one of those it needs; without: with the branch of the run. */
  from?: string | undefined
  /** Group that the soft cap on slots counts it for; default: its epic. */
  group?: string | undefined
  /** Role in the search it belongs to. */
  search?: SearchRole | undefined
  claims: Claims
  /** Resources of the plan that it has to itself while it runs. */
  uses?: Record<string, number> | undefined
  /** Labels that its machine must have: `gpu`, `arm`. */
  labels?: string[] | undefined
  work: Work
  /** Globs of paths it may not change; `unprotected` takes paths out of these, and of those that are flagged. */
  protected?: string[] | undefined
  unprotected?: string[] | undefined
  /** Paths outside of the repository that its author named: nothing there can be changed for it, so it fails. */
  outside?: string[] | undefined
  /** Shell commands that run in the task's worktree before its work, each time it is tried. */
  setup?: string[] | undefined
  /** Shell commands that must pass in the task's own worktree before its work counts. */
  verify: string[]
  /** Higher goes first. */
  priority: number
  estimateMs: number | null
  /** Budget of its attempts together, in US dollars: they are ended when it is used up. */
  budgetUsd?: number | undefined
  /** Expected cost of an attempt. */
  estimateUsd?: number | undefined
  /**
   * Time and cost of earlier runs, where the plan has no estimate: orders tasks and reserves money, and refuses
   * nothing.
   */
  expected?: { ms?: number | undefined; usd?: number | undefined } | undefined
  /** Default: that of the run. */
  timeoutMs?: number | undefined
  /** Retries of a failed attempt; default: those of the run. */
  retries?: number | undefined
  /** False: the end of its supervisor counts as a try, instead of being spared. */
  restartOnError?: false | undefined
  /** Agent processes in one attempt: while its checks fail, it is asked to go on. Default: one. */
  iterations?: number | undefined
  /** Text that the last message of its agent must contain, or it is not done. */
  completion?: string | undefined
  /** An agent that changes nothing has done its task. Otherwise only `verify` commands that pass say so. */
  allowNoChange?: boolean | undefined
  /** Limits of one attempt; beyond them its agent is ended. */
  maxTurns?: number | undefined
  maxToolCalls?: number | undefined
  /** … and when it makes the same call of a tool so many times in a row. 0: never. Without: `LIMITS.repeatedCalls`. */
  maxRepeats?: number | undefined
  /** False: the work is kept as a ref and never lands. */
  land: boolean
  /** The commit it starts from, where that is not the branch of the run; its work cannot land. */
  base?: string | undefined
  /** `epic`: shares one worktree with the other such tasks of its epic, and lands together with them. */
  isolation: 'task' | 'epic'
  /** Globs of files that are kept of it, and of JUnit XML that it writes. */
  artifacts?: string[] | undefined
  junit?: string[] | undefined
  env: Record<string, string>
  tags: string[]
  /** Decisions behind it, those of its epic first; its landing commit names them. */
  decisions?: string[] | undefined
}

/** Globs of paths. Two write claims, or a write and a read claim, that can match the same path exclude each other. */
export type Claims = { write: string[]; read: string[] }

/** A prompt goes to an agent; a command is run by the shell. */
export type Work =
  | {
      kind: 'prompt'
      prompt: string
      agent: string
      /** Model of `agent`; the fallbacks use the model of the settings. */
      model: string | null
      /** Agents to use while `agent` is paused, in this order. Most tasks have none. */
      fallbacks?: string[] | undefined
    }
  | { kind: 'command'; command: string }

/** Estimate of the plan, else of earlier runs; null: unknown. */
export function likelyMs({ estimateMs, expected }: Pick<Task, 'estimateMs' | 'expected'>): number | null {
  return estimateMs ?? expected?.ms ?? null
}

export function likelyUsd({ estimateUsd, expected }: Pick<Task, 'estimateUsd' | 'expected'>): number | null {
  return estimateUsd ?? expected?.usd ?? null
}

/** The agents that may do it, the preferred one first; none for a shell command. */
export function agentsOf(work: Work): string[] {
  return work.kind === 'prompt' ? [work.agent, ...(work.fallbacks ?? [])] : []
}
