import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type RemoteServer, runNamed } from './server.ts'

export async function cancel(
  server: RemoteServer,
  task: string | undefined,
  flags: { run?: string },
): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const run = await runNamed(server, flags.run)
  if (run === null) {
    surroundings.err.write('no runs there yet\n')
    return EXIT.badInput
  }
  const target = { project, run }
  const { delivered } =
    task === undefined ? await client.runs.cancel(target) : await client.tasks.cancel({ ...target, task })
  const what = task === undefined ? `run ${run}` : `${task} of run ${run}`
  const said = { 'to-engine': 'cancelling', 'carried-out': 'cancelled', recorded: 'the next resume cancels' }[delivered]
  surroundings.out.write(`${said} ${what}\n`)
  return EXIT.done
}
