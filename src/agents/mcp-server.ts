// The task manager as an MCP server. No program is told of it through the worktree: a file in there would be part of the work.
import { type ParseError, parse } from 'jsonc-parser'
import { type Json, objectAt } from './json-line.ts'

export type McpServer = {
  command: string
  args: string[]
  /** Who it speaks for. Given by name, because some programs pass nothing on by themselves. */
  env: Record<string, string>
  /** Outside the worktree, for a file that tells the program of it. */
  folder: string
  /** What the program itself is started with: what its user says there stays in force. */
  environment: Readonly<Record<string, string>>
}

/** Under which programs list it: `mcp__espalier__update_task` is a tool of it in Claude Code. */
export const MCP_NAME = 'espalier'

/** A settings file of a program. Null: not even the program will understand it, and its user has to put it right. */
export function settingsIn(text: string): Json | null {
  const trouble: ParseError[] = []
  const settings = objectAt(parse(text, trouble, { allowTrailingComma: true }))
  return trouble.length > 0 ? null : settings
}

/** In the form that most programs read. `more`: what only one of them understands. */
export function mcpServers({ command, args, env }: McpServer, more: object = {}): object {
  return { mcpServers: { [MCP_NAME]: { command, args, env, ...more } } }
}

/** Not one's own program, which has to hand them on itself. */
export function takesMcp(agent: string): boolean {
  return agent !== 'command'
}
