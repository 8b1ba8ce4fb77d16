import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { jsonText } from '../../text/json.ts'
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts'
import type { RunFacts } from '../live/event-line.ts'
import { plainView } from '../live/plain-view.ts'
import { statusLines } from '../status/status-table.ts'
import { width } from '../surroundings.ts'
import { type RemoteServer, runNamed, wholeView } from './server.ts'

type Flags = { maxConcurrency?: number; agent?: string; detach?: boolean; json?: boolean }

export async function run(server: RemoteServer, plan: string | undefined, flags: Flags): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const { maxConcurrency, agent } = flags
  const text = plan === undefined ? null : textHere(resolve(surroundings.cwd, plan))
  const named = plan === undefined || text === null ? plan : { text, name: basename(plan) }
  const from = await newestCursor(server)
  const started = await client.runs.start({ project, plan: named, maxConcurrency, agent })
  return followed(server, started.run, from, flags)
}

export async function resume(server: RemoteServer, named: string | undefined, flags: Flags): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const id = await runNamed(server, named)
  if (id === null) {
    surroundings.err.write('no runs there yet\n')
    return EXIT.badInput
  }
  const from = await newestCursor(server)
  await client.runs.resume({ project, run: id, maxConcurrency: flags.maxConcurrency })
  return followed(server, id, from, flags)
}

/** Before the run begins, so that none of its events is missed. */
async function newestCursor({ client, project }: RemoteServer): Promise<string> {
  return (await client.projects.get({ project })).cursor
}

function textHere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // it may be a file of the repository there
  }
}

async function followed(server: RemoteServer, id: string, after: string, flags: Flags): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const { out, err, outPalette: palette } = surroundings
  if (flags.detach) {
    out.write(flags.json ? `${jsonText({ run: id })}\n` : `run ${id} has started there\n`)
    return EXIT.done
  }
  const plan = await client.runs.plan({ project, run: id })
  const tasks = new Map(plan.tasks.map((task) => [task.id, { tries: (task.retries ?? 1) + 1, land: task.land }]))
  const facts: RunFacts = { run: id, retries: 1, tasks }
  const view = plainView({ out, palette, facts, startedAt: Date.now(), now: Date.now })
  const leaving = new AbortController()
  const onConnection = (isConnected: boolean) => {
    if (!isConnected && !leaving.signal.aborted) err.write('the connection is lost: coming back\n')
  }
  for await (const { event } of client.events({ project, run: id, after, signal: leaving.signal, onConnection })) {
    if (flags.json) out.write(`${jsonText(event)}\n`)
    else await view.event(event, true)
    if (event.type === 'run.finished' || event.type === 'run.interrupted') break
  }
  leaving.abort()
  const last = await wholeView(server, id)
  if (!flags.json) {
    const look = { now: Date.now(), width: width(out) - 1, palette, estimates: new Map() }
    out.write(`\n${statusLines(last, look).join('\n')}\n`)
  }
  return exitStatusOf({ ...last, interrupted: last.status === 'running' })
}
