import { once } from 'node:events'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type RemoteServer, runNamed } from './server.ts'

type Flags = { run?: string; attempt?: number; follow?: boolean; transcript?: boolean }

export async function logs(server: RemoteServer, task: string, flags: Flags): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const { follow, attempt, transcript } = flags
  const run = await runNamed(server, flags.run)
  if (run === null) {
    surroundings.err.write('no runs there yet\n')
    return EXIT.badInput
  }
  const name = transcript ? 'tasks.transcript' : 'tasks.log'
  const log = await client.stream(name, { project, run, task, follow, attempt })
  for await (const chunk of log as unknown as AsyncIterable<Uint8Array>)
    if (!surroundings.out.write(chunk)) await once(surroundings.out, 'drain')
  return EXIT.done
}
