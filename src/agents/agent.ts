// The seam between the engine and a program that does the work. One file per agent; the engine knows only this.
import type { Failure } from '../event.ts'
import type { Session } from '../session.ts'
import type { Usage } from '../usage.ts'
import type { Activity } from './activity.ts'
import type { CostReport, Environment } from './facts.ts'
import type { McpServer } from './mcp-server.ts'
import type { Prices } from './prices.ts'
import type { PartsOf } from './transcript.ts'

export type { Environment }

export interface Agent {
  readonly name: string
  /** Environment variables it needs, by name or glob: where its provider is, and the key for it. */
  readonly variables: readonly string[]
  readonly cost: CostReport
  /** How to start it. The prompt is also at `promptFile` and in ESPALIER_PROMPT_FILE. */
  invoke(assignment: Assignment): Invocation
  /** Makes sense of what one process of it prints. `prices`: the user's own, for one that has to work out a cost. */
  reader(prices?: Prices): AgentReader
  /** What a line of its output is made of; null: its output is for people as it is. */
  readonly parts: PartsOf | null
  /**
   * What a process used, by the files in which the program keeps its conversations: for one that ended before it reported
   * all of that. Null: the conversation is not there.
   */
  usageOf?(process: ProcessOfConversation): Promise<UsageInFiles | null>
  /**
   * Whether a new process in that worktree finds a conversation that an earlier one was interrupted in. Without it nobody
   * can tell: the process is asked to continue, and told its task again.
   */
  findsConversation?(session: string, environment: Environment): Promise<boolean>
}

export type ProcessOfConversation = {
  session: string
  /** When it was started, and when the next process that continued the conversation was; Infinity: there is none. */
  since: number
  until: number
  /** The newest answer that it began to print, where it printed answers before their tokens were known. */
  newestAnswer: string | null
  /** The environment that it got to see. */
  environment: Environment
  /** The user's own, for a program that uses several models. */
  prices?: Prices
}

/** `isComplete`: all of the newest answer is in it. One that is cut off has cost what nobody knows. */
export type UsageInFiles = { usage: Usage | null; model: string | null; isComplete: boolean }

export type Assignment = {
  promptFile: string
  /** Null: the program's own choice. */
  model: string | null
  /** A name for a new conversation, for programs that let us choose it: a UUID. */
  newSession: string
  resume: string | null
  /** Globs of the paths it may write, where the run insists on that; null: all of its worktree. */
  mayWrite: readonly string[] | null
  /** What it may spend in US dollars; with what a resumed conversation has cost before. */
  budgetUsd?: number
  /** Where its hooks read and write, for programs that can be given some. */
  hooks?: HookFiles
  mcp?: McpServer
  /** What it is started with: what its user says there stays in force. */
  environment?: Environment
}

/** All of them outside the worktree. */
export type HookFiles = {
  /** Where the file is to be put that tells the program of its hooks. */
  settings: string
  /** What it may write by now, as attempt/attempt.ts writes it; null: all of its worktree. */
  mayWrite: string | null
  worktree: string
  /** Written after each use of a tool: it is alive. */
  heartbeat: string
  /** What the program says of its conversation when that ends. */
  sessionEnd: string
}

export type Invocation = {
  argv: string[]
  stdin: 'prompt' | 'nothing'
  /** `merge`: as a terminal would show it. `separate`: stdout is a protocol. */
  stderr: 'merge' | 'separate'
  env: Record<string, string>
  /** What it wants to find, written before it is started. */
  files?: { path: string; text: string }[]
  /** What it is to find as if it were there. `isFolder`: made where it is not there yet. */
  links?: { path: string; target: string; isFolder?: boolean }[]
}

export interface AgentReader {
  line(text: string): string | null
  /** It waits for its provider by itself. If that takes long the engine ends it and waits in its place. */
  readonly isWaiting?: boolean
  /** Until when, where that is known: it is not let wait for what is too long anyway. */
  readonly waitsUntil?: number | null
  result(end: ProcessEnd): AgentResult
  /** What it has used so far, where its output tells before the end; another object whenever that has grown. */
  readonly usageSoFar?: UsageSoFar | null
  /** The newest answer of its model that it has begun to print, for `usageOf`. */
  readonly newestAnswer?: string | null
  /** What it has done so far, where its output tells: `maxTurns` and `maxToolCalls` are held against it. */
  readonly activity?: Activity
}

/** `countsConversation`: as of a result. `model`: where only its files tell it. */
export type UsageSoFar = { usage: Usage; countsConversation?: boolean; model?: string | null }

export type ProcessEnd = { code: number | null; signal: string | null }

export type AgentResult = {
  failure: Failure | null
  usage: Usage | null
  /** `usage` includes that of earlier processes of the conversation. */
  countsConversation?: boolean
  /** Something may be missing in `usage`: the files of its conversation are asked. */
  isUsagePartial?: boolean
  /** What is missing for certain, in words. */
  uncounted?: string
  summary: string | null
  /** Its last message in full, where the summary may have been cut. */
  final?: string | null
  session: Omit<Session, 'agent'> | null
  /** No other process can go on with that conversation: it has to be told all of it again. */
  forgets?: boolean
  /** The provider did not let it work: nothing the task or the agent could do about it. */
  limited: { until: number | null } | null
  /** It was not allowed something it asked for: its failure, unless it found another way and changed something. */
  denied?: Failure | null
}
