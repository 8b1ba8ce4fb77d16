// How the agent of an attempt gets at the task manager.
import { fileURLToPath } from 'node:url'
import type { McpServer } from '../agents/mcp-server.ts'
import { identityVariables } from './attempt-identity.ts'
import type { AttemptSpec } from './attempt-spec.ts'

/** Null: the settings say that there is none, or nobody is there to use it. */
export function mcpServer(
  { run, task, attempt, token, stateRoot, settings }: AttemptSpec,
  folder: string,
  environment: Readonly<Record<string, string>>,
): McpServer | null {
  if (!settings.mcp || task.work.kind !== 'prompt') return null
  const env = identityVariables({ stateRoot, run, task: task.id, attempt, token })
  return { command: process.execPath, args: [BIN, 'mcp'], env, folder, environment }
}

/** Of this package, with the Node that runs the engine: neither has to be on the agent's PATH. */
const BIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))
