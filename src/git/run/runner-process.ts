// The small process behind runner-client.ts: starts git and supervisors for the engine. It ends with the engine, however that
// ends; the processes it started go on.
import { type StartSpec, startHere } from '../../process/supervise/starter.ts'
import { type GitSpec, runGitProcess } from './process.ts'
import type { RunnerMessage } from './runner-client.ts'

process.on('message', async (request: { id: number } & ({ spec: GitSpec } | { start: StartSpec })) => {
  const { id } = request
  if ('spec' in request) return say({ id, answer: await runGitProcess(request.spec) })
  const started = await startHere(request.start)
  if (started.kind !== 'started') return say({ id, answer: started })
  const { pid, identity, ended } = started.process
  say({ id, answer: { kind: 'started', pid, identity } })
  await ended
  say({ id, ended: true })
})
// `exit` would wait for threads, and without end if the system let it make too few of them.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
say('ready')

function say(message: RunnerMessage): void {
  if (process.connected) process.send?.(message)
}
