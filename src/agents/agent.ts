// The seam between the engine and a program that does the work. One file per agent; the engine knows only this.
import type { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Usage } from '../usage.ts'
import type { Activity } from './activity.ts'

export interface Agent {
  readonly name: string
  /** How to start it. The prompt is also at `promptFile` and in ESPALIER_PROMPT_FILE. */
  invoke(assignment: Assignment): Invocation
  /** Makes sense of what one process of it prints. */
  reader(): AgentReader
  /**
   * What its counters count from. `session`: a conversation that is resumed goes on counting where it stopped, so what
   * was counted before has to be taken off.
   */
  readonly counters: Counters
  /** Environment variables it needs, by name or glob: where its provider is, and the key for it. */
  readonly variables: readonly string[]
}

export type Counters = { tokens: 'process' | 'session'; cost: 'process' | 'session' | 'none' }

export type Assignment = {
  promptFile: string
  /** Null: the program's own choice. */
  model: string | null
  /** A name for a new conversation, for programs that let us choose it: a UUID. */
  newSession: string
  /** The conversation to go on with. */
  resume: string | null
  /** Globs of the paths it may write, where the run insists on that; null: all of its worktree. */
  mayWrite: readonly string[] | null
}

export type Invocation = {
  argv: string[]
  stdin: 'prompt' | 'nothing'
  /** `merge`: as a terminal would show it. `separate`: stdout is a protocol. */
  stderr: 'merge' | 'separate'
  env: Record<string, string>
}

export interface AgentReader {
  /** A line of its output; what it says to a person, if anything. */
  line(text: string): string | null
  /**
   * It waits for its provider by itself. If that takes long the engine ends it and waits in its place: then others get
   * its slot, and those with the same provider need not find out for themselves.
   */
  readonly isHeldUp?: boolean
  /** What it all amounts to, once the process has ended. */
  result(end: ProcessEnd): AgentResult
  /** What it has done so far, where its output tells: `maxTurns` and `maxToolCalls` are held against it. */
  readonly activity?: Activity
}

export type ProcessEnd = { code: number | null; signal: string | null }

export type AgentResult = {
  failure: Failure | null
  usage: Usage | null
  /** The usage is of this process alone, whatever its counters count from: it ended before it told those. */
  isUsageAlone?: boolean
  summary: string | null
  /** Its last message in full, where the summary may have been cut. */
  final?: string | null
  session: Omit<Session, 'agent'> | null
  /** The provider did not let it work: nothing the task or the agent could do about it. */
  limited: { until: number | null } | null
  /** It was not allowed something it asked for: its failure, unless it found another way and changed something. */
  denied?: Failure | null
}
