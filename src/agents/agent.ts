// The seam between the engine and a program that does the work. One file per agent; the engine knows only this.
import type { Failure } from '../failure.ts'
import type { Usage } from '../status.ts'

export interface Agent {
  readonly name: string
  /** How to start it. The prompt is also at `promptFile` and in ESPALIER_PROMPT_FILE. */
  invoke(assignment: Assignment): Invocation
  /** Makes sense of what one attempt prints. */
  reader(): AgentReader
}

export type Assignment = { promptFile: string }

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
  /** What it all amounts to, once the process has ended. */
  result(end: ProcessEnd): AgentResult
}

export type ProcessEnd = { code: number | null; signal: string | null }

export type AgentResult = { failure: Failure | null; usage: Usage | null; summary: string | null }
