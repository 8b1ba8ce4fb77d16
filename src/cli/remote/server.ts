// The server that a command works on: its address, the token for it, and which of its projects is meant.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Client, connect, Refused } from '../../client.ts'
import { problem } from '../../problem.ts'
import type { RunView, TaskView } from '../../status.ts'
import type { ExitStatus } from '../exit-status.ts'
import { serverHome } from '../inputs/server-home.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export type RemoteFlags = { server: string; project?: string; tokenFile?: string }

export type RemoteServer = { client: Client; project: string; surroundings: Surroundings }

export async function withServer(
  { server, project, tokenFile }: RemoteFlags,
  surroundings: Surroundings,
  use: (server: RemoteServer) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const said = (message: string) => refuseWith([problem(message)], surroundings)
  if (!URL.canParse(server)) return said(`${server} is no address, such as http://127.0.0.1:4713`)
  const token = tokenFor(tokenFile, surroundings)
  if (token === null) return said('there is no token for it: set ESPALIER_TOKEN, or name a file with --token-file')
  const client = connect({ url: new URL(server).origin, token })
  try {
    const { items } = project === undefined ? await client.projects.list({}) : { items: [{ id: project }] }
    const [only, ...others] = items
    if (!only) return said('the server has no project: `espalier projects add DIR` adds one there')
    if (others.length > 0)
      return said(`name one of its projects with --project: ${items.map(({ id }) => id).join(', ')}`)
    return await use({ client, project: only.id, surroundings })
  } catch (error) {
    if (error instanceof Refused) {
      const { problems } = error
      return refuseWith(problems.length > 0 ? problems : [problem(error.message)], surroundings)
    }
    if (error instanceof TypeError) return said(`${server} cannot be reached: ${causeOf(error)}`)
    throw error
  }
}

/** The newest, where none is named. Null: there is none yet. */
export async function runNamed({ client, project }: RemoteServer, run: string | undefined): Promise<string | null> {
  if (run !== undefined) return run
  const { items } = await client.runs.list({ project, limit: 1 })
  return items[0]?.run ?? null
}

/** With all its tasks. */
export async function wholeView({ client, project }: RemoteServer, run: string): Promise<RunView> {
  const summary = await client.runs.get({ project, run })
  const tasks: TaskView[] = []
  let after: string | undefined
  for (;;) {
    const page = await client.tasks.list({ project, run, limit: 10_000, after })
    tasks.push(...(page.items as TaskView[]))
    if (page.next === null) return { ...summary, tasks } as RunView
    after = page.next
  }
}

function tokenFor(file: string | undefined, surroundings: Surroundings): string | null {
  const given = surroundings.env.ESPALIER_TOKEN
  if (file === undefined && given) return given
  try {
    const path =
      file === undefined ? join(serverHome(surroundings), 'server', 'token') : resolve(surroundings.cwd, file)
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

function causeOf({ message, cause }: TypeError): string {
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
}
