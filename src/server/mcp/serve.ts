// `espalier mcp`: the task manager, for a program that speaks the Model Context Protocol. What loads slowly is loaded
// here and not before: agents wait for their servers when they start.
import type { Readable, Writable } from 'node:stream'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'

type ServeTaskManager = {
  /** Null: it was not started by an agent of a run, and says so to whoever calls one of its tools. */
  identity: AttemptIdentity | null
  version: string
  input: Readable
  output: Writable
}

/** Resolves when nobody is there any more who could ask something; what was asked before is still answered. */
export async function serveTaskManager({ identity, version, input, output }: ServeTaskManager): Promise<void> {
  const gone = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve))
  const [{ taskServer }, { StdioServerTransport }] = await Promise.all([
    import('./tools.ts'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ])
  await taskServer(identity, version).connect(new StdioServerTransport(input, output))
  await gone
}
