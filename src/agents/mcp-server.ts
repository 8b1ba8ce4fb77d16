// The task manager, as an MCP server that an agent's program starts by itself. Each program is told of it in a way of
// its own, and none of them through the worktree: a file in there would be part of the work.

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

/**
 * Whether an agent has its tools without anybody's doing. Not one's own program, which has to hand them on itself, and
 * not the Gemini CLI: it takes servers only from its user's settings, from the repository, or from files that root owns.
 * Over ACP it can be given some.
 */
export function takesMcp(agent: string): boolean {
  return agent !== 'command' && agent !== 'gemini'
}
