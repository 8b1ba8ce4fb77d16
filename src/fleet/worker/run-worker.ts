// `espalier worker`, from joining to leaving.
import { join } from 'node:path'
import { useGitRunner } from '../../git/run/runner-client.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import { causeOf, RefusedByServer, ServerConnection } from './server-connection.ts'
import { Worker, type WorkerOptions } from './worker.ts'
import { WorkerRepository } from './worker-repository.ts'

/** Resolves after `drain` and the end of all assignments. Refused: the server does not accept the worker. */
export async function work(options: WorkerOptions, drain: AbortSignal): Promise<Result<void>> {
  const locked = await acquireLock(join(options.root, 'worker.lock'), 'worker')
  if (!locked.ok) return refuse(`another worker uses ${options.root}: give this one another --name`)
  await using _lock = locked.lock
  using _git = useGitRunner()
  const server = new ServerConnection(options.server, options.token)
  const joining = { ...options.offer, machine: { ...options.machine, now: Date.now() } }
  try {
    const joined = await server.persist(
      () => server.join(joining),
      drain,
      (error) => options.say(`${options.server} does not answer (${causeOf(error)}): trying again`),
    )
    const repository = await WorkerRepository.open(options.root, server, joined)
    return await new Worker(options, server, joined, repository).run(drain)
  } catch (error) {
    if (error instanceof RefusedByServer) return refuse(`${options.server}: ${error.message}`)
    if (drain.aborted) return ok(undefined)
    throw error
  }
}
