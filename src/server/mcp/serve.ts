// `espalier mcp`: the task manager over the Model Context Protocol. Slow modules are loaded here and not before: agents wait for
// their servers when they start.
import type { Readable, Writable } from 'node:stream'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'

type ServeTaskManager = {
  /** Null: not started by an agent of a run; its tools answer with that. */
  identity: AttemptIdentity | null
  version: string
  input: Readable
  output: Writable
}

/** Resolves at the end of its input; calls before that are still answered. */
export async function serveTaskManager({ identity, version, input, output }: ServeTaskManager): Promise<void> {
  const gone = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve))
  const [{ taskServer }, { StdioServerTransport }] = await Promise.all([
    import('./tools.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ])
  await taskServer(identity, version).connect(new StdioServerTransport(input, output))
  await gone
}
