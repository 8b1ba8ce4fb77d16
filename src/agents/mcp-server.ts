// The task manager as an MCP server. No program is told of it through the worktree: a file in there would be part of the work.

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

/** In the form that most programs read. `more`: what only one of them understands. */
export function mcpServers({ command, args, env }: McpServer, more: object = {}): object {
  return { mcpServers: { [MCP_NAME]: { command, args, env, ...more } } }
}

/** Not one's own program, which has to hand them on itself. */
export function takesMcp(agent: string): boolean {
  return agent !== 'command'
}
