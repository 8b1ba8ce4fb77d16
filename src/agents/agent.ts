// The seam between the engine and a program that does the work. One file per agent; the engine knows only this.
import type { Failure, Session } from '../event.ts'
import type { Usage } from '../usage.ts'
import type { Activity } from './activity-counter.ts'
import type { AgentFacts, Environment } from './facts.ts'
import type { McpServer } from './mcp-server.ts'
import type { Prices } from './prices.ts'
import type { PartsOf } from './transcript.ts'

export interface Agent extends Readonly<Pick<AgentFacts, 'variables' | 'cost'>> {
  readonly name: string
  /** How to start it. The prompt is also at `promptFile` and in ESPALIER_PROMPT_FILE. */
  invoke(assignment: Assignment): Invocation
  /** Reads the output of one process. `prices`: the user's own, for an agent whose cost is worked out. */
  reader(prices?: Prices): AgentReader
  /** Parts of a line of its output; null: its output is for people as it is. */
  readonly parts: PartsOf | null
  /**
   * Usage of a process by the program's own files: for a process that ended before it reported all of it. Null: the
   * conversation is not there.
   */
  usageOf?(process: ProcessOfConversation): Promise<UsageInFiles | null>
  /**
   * Whether a new process in that worktree finds an interrupted conversation. Without it nobody can tell: the process
   * is asked to continue, and told its task again.
   */
  findsConversation?(session: string, environment: Environment): Promise<boolean>
}

export type ProcessOfConversation = {
  session: string
  /** Start of the process, and of the next one that continued the conversation; Infinity: there is none. */
  since: number
  until: number
  /** The newest answer it began to print, if it prints answers before their tokens are known. */
  newestAnswer: string | null
  environment: Environment
  /** The user's own, for a program that uses several models. */
  prices?: Prices
}

/** `isComplete`: it has all of the newest answer. The cost of an answer that is cut off is never known. */
export type UsageInFiles = { usage: Usage | null; model: string | null; isComplete: boolean }

type Assignment = {
  promptFile: string
  /** Null: the program's own choice. */
  model: string | null
  /** A UUID for a new conversation, for programs that let us choose it. */
  newSession: string
  resume: string | null
  /** Globs of the paths it may write, if claims are enforced; null: all of its worktree. */
  mayWrite: readonly string[] | null
  /** In US dollars, with the earlier cost of a resumed conversation. */
  budgetUsd?: number
  /** For programs that can be given hooks. */
  hooks?: HookFiles
  mcp?: McpServer
  /** Its environment: settings of the user in there stay in force. */
  environment?: Environment
}

/** Files outside the worktree, for the hooks of a program. */
export type HookFiles = {
  /** Settings file that tells the program of its hooks. */
  settings: string
  /** File with the globs it may write by now (attempt/attempt.ts); null: all of its worktree. */
  mayWrite: string | null
  worktree: string
  /** Written after each use of a tool: a sign of life. */
  heartbeat: string
  /** The program's words on its conversation when that ends. */
  sessionEnd: string
}

export type Invocation = {
  argv: string[]
  stdin: 'prompt' | 'nothing'
  /** `merge`: as a terminal would show it. `separate`: stdout is a protocol. */
  stderr: 'merge' | 'separate'
  env: Record<string, string>
  /** Written before the start. */
  files?: { path: string; text: string }[]
  /** Made before the start. `isFolder`: the target is made if it is missing. */
  links?: { path: string; target: string; isFolder?: boolean }[]
}

export interface AgentReader {
  line(text: string): string | null
  /** It waits for its provider by itself. If that takes long, the engine ends it and waits in its place. */
  readonly isWaiting?: boolean
  /** End of that wait, if known: one that is too long anyway is cut short at once. */
  readonly waitsUntil?: number | null
  result(end: ProcessEnd): AgentResult
  /** Usage so far, if its output tells before the end; another object whenever it has grown. */
  readonly usageSoFar?: UsageSoFar | null
  /** The newest answer that it has begun to print, for `usageOf`. */
  readonly newestAnswer?: string | null
  /** Counts for `maxTurns` and `maxToolCalls`, if its output tells. */
  readonly activity?: Activity
}

/** `countsConversation`: as of a result. `model`: if only its files tell. */
export type UsageSoFar = { usage: Usage; countsConversation?: boolean; model?: string | null }

export type ProcessEnd = { code: number | null; signal: string | null }

export type AgentResult = {
  failure: Failure | null
  usage: Usage | null
  /** `usage` includes that of earlier processes of the conversation. */
  countsConversation?: boolean
  /** `usage` may be incomplete: look into the files of the conversation. */
  isUsagePartial?: boolean
  /** Names the usage that is certainly missing, in words. */
  uncounted?: string
  summary: string | null
  /** Its last message in full; the summary may be cut. */
  final?: string | null
  session: Omit<Session, 'agent'> | null
  /** No other process can continue the conversation: it has to be told all again. */
  forgets?: boolean
  /** The provider did not let it work: neither the task nor the agent is to blame. */
  limited: { until: number | null } | null
  /** It was refused something: its failure, unless it found another way and changed something. */
  denied?: Failure | null
}
