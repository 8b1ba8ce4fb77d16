// The seam between the engine and a program that does the work. One file per agent; the engine knows only this.
import type { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Usage } from '../usage.ts'
import type { Activity } from './activity.ts'
import type { McpServer } from './mcp-server.ts'
import type { Prices } from './prices.ts'

export interface Agent {
  readonly name: string
  /** How to start it. The prompt is also at `promptFile` and in ESPALIER_PROMPT_FILE. */
  invoke(assignment: Assignment): Invocation
  /** Makes sense of what one process of it prints. `prices`: the user's own, for one that has to work out a cost. */
  reader(prices?: Prices): AgentReader
  /** `session`: a conversation that is resumed goes on counting where it stopped. */
  readonly counters: Counters
  /** It tells its cost only at its end: until then, and where it is ended before, its tokens count by the price of its model. */
  readonly costAtEnd?: boolean
  /** Nobody knows beforehand whether it tells what it uses. */
  readonly mayTellNothing?: boolean
  /** Environment variables it needs, by name or glob: where its provider is, and the key for it. */
  readonly variables: readonly string[]
  /**
   * The tokens of a process that ended before it told them, or all of them: from the files in which the program keeps its
   * conversations. It was started at `since` and got to see `environment`. Counted as its counters count; where
   * the result of such a process is `isUsageAlone`, of the process alone. `prices`: the user's own, for one that has used several models.
   */
  usageOnDisk?(session: string, since: number, environment: Environment, prices?: Prices): Promise<Usage | null>
  /** What is found there is of the process alone, whatever its counters count from. */
  readonly isDiskAlone?: boolean
  modelOnDisk?(session: string, environment: Environment): Promise<string | null>
  /**
   * Whether all of an answer is in the files of the conversation, for a program that prints an answer before its tokens
   * are known: one that is ended before that has cost what nobody knows.
   */
  hasWritten?(session: string, answer: string, environment: Environment): Promise<boolean>
  /**
   * Whether a new process in that worktree finds a conversation that an earlier one was interrupted in. Without it nobody
   * can tell: the process is asked to continue, and told its task again.
   */
  findsConversation?(session: string, environment: Environment): Promise<boolean>
}

export type Environment = Readonly<Record<string, string | undefined>>

export type Counters = { tokens: 'process' | 'session'; cost: 'process' | 'session' | 'none' }

export type Assignment = {
  promptFile: string
  /** Null: the program's own choice. */
  model: string | null
  /** A name for a new conversation, for programs that let us choose it: a UUID. */
  newSession: string
  resume: string | null
  /** Globs of the paths it may write, where the run insists on that; null: all of its worktree. */
  mayWrite: readonly string[] | null
  /** What it may spend in US dollars, counted as its counters count: with what a resumed conversation has cost before. */
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
  /** The newest answer of its model that it has begun to print, for `hasWritten`. */
  readonly newestAnswer?: string | null
  /** What it has done so far, where its output tells: `maxTurns` and `maxToolCalls` are held against it. */
  readonly activity?: Activity
}

/** `isAlone`: as `isUsageAlone` of a result. `model`: where only its files tell it. */
export type UsageSoFar = { usage: Usage; isAlone?: boolean; model?: string | null }

export type ProcessEnd = { code: number | null; signal: string | null }

export type AgentResult = {
  failure: Failure | null
  usage: Usage | null
  /** The usage is of this process alone, whatever its counters count from: it ended before it told those. */
  isUsageAlone?: boolean
  /** What of `usage` is of this process, where its files have told that. */
  ownUsage?: Usage
  /** Others did a part of the work, and its output does not tell what those used. */
  hasSubagents?: boolean
  /** It has told its cost, but not its tokens, or neither. */
  isUsagePartial?: boolean
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

/** Its last word is missing, so whatever its exit status says, it is not known to have done its work. */
export function endedWithoutResult(program: string, { code, signal }: ProcessEnd, said: string): Failure {
  const last = said ? `; it said: ${said}` : ''
  if (signal !== null) return { reason: 'agent-crashed', message: `${program} was ended by ${signal}${last}` }
  const message = `${program} exited with status ${code} and no result${last}`
  return { reason: code === 0 ? 'agent-crashed' : 'agent-failed', message }
}
