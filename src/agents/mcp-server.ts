// The task manager as an MCP server. No program hears of it through the worktree: a file in there would be part of the
// work.
import { type ParseError, parse } from 'jsonc-parser'
import { type Json, objectAt } from './read-json-fields.ts'

export type McpServer = {
  command: string
  args: string[]
  /** The attempt it speaks for. By name, because some programs pass nothing on by themselves. */
  env: Record<string, string>
  /** Outside the worktree, for the program's own settings file. */
  folder: string
  /** The program's environment: settings of the user in there stay in force. */
  environment: Readonly<Record<string, string>>
}

/** Its name in programs: Claude Code calls a tool of it `mcp__espalier__update_task`. */
export const MCP_NAME = 'espalier'

/** A settings file of a program. Null: it is broken for the program too, and its user has to repair it. */
export function settingsIn(text: string): Json | null {
  const trouble: ParseError[] = []
  const settings = objectAt(parse(text, trouble, { allowTrailingComma: true }))
  return trouble.length > 0 ? null : settings
}

/** The form that most programs read. `more`: for one of them. */
export function mcpServers({ command, args, env }: McpServer, more: object = {}): object {
  return { mcpServers: { [MCP_NAME]: { command, args, env, ...more } } }
}

/** A program of the user's own has to pass them on itself. */
export function takesMcp(agent: string): boolean {
  return agent !== 'command'
}
