// The same plan on workers with a slot each, and on as many slots in one process. Everything is on this machine, so the workers
// have no processors of their own: what they cost more than one process comes out of the same two cores.

import type { Event } from '../src/event.ts'
import { FleetRig } from '../test/fleet/worker-rig.ts'
import { espalier } from '../test/rig/espalier.ts'
import { startPostgres } from '../test/rig/postgres-server.ts'
import { makeRepository } from '../test/rig/repository.ts'
import { atLeast, type Report, type Scene } from './benchmark.ts'

const SHARE = 0.8
/** Tasks of a few seconds: still far shorter than any agent's. */
const TASK_SECONDS = 5

export async function throughput({ full, say }: Scene): Promise<Report> {
  const [workers, tasks] = full ? [50, 2_000] : [16, 160]
  const list = Array.from(
    { length: tasks },
    (_, n) => `  - {id: t${n}, run: 'sleep ${TASK_SECONDS}; echo ${n} > out-${n}.txt'}`,
  )
  const plan = `name: demo\ntasks:\n${list.join('\n')}\n`
  say(`${tasks} tasks in one process, ${workers} slots`)
  const alone = await inOneProcess(plan, workers)
  say(`${tasks} tasks on ${workers} workers`)
  const fleet = await onWorkers(plan, workers)
  const rows = [
    ['one process', workers, alone, tasks / alone],
    [`${workers} workers`, workers, fleet, tasks / fleet],
  ]
  return {
    tables: [
      {
        title: `${tasks} tasks of ${TASK_SECONDS} s, from the first start to the last landing`,
        columns: ['', 'slots', 'seconds', 'tasks a second'],
        rows,
      },
    ],
    bars: [atLeast('throughput of workers', alone / fleet, SHARE, '× the same slots in one process')],
  }
}

async function inOneProcess(plan: string, slots: number): Promise<number> {
  await using repository = await makeRepository({ files: { 'plan.yaml': plan } })
  const said = await espalier(repository.top, ['run', 'plan.yaml', '-j', String(slots), '--json'])
  if (said.status !== 0) throw new Error(said.err)
  return secondsOf(said.out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Event] : [])))
}

async function onWorkers(plan: string, count: number): Promise<number> {
  await using postgres = await startPostgres()
  await using database = await postgres.newDatabase()
  await using rig = await FleetRig.open(database.url, plan)
  for (let n = 0; n < count; n++) await (await rig.worker(`w${n}`, '--slots', '1')).says(/joined repo/)
  const run = rig.run('--workers-only', '--json')
  if ((await run.ends()) !== 0) throw new Error(run.heard.slice(-5_000))
  return secondsOf(run.events)
}

function secondsOf(events: readonly Event[]): number {
  const first = events.find(({ type }) => type === 'attempt.started')
  const last = events.findLast(({ type }) => type === 'landing.landed')
  return ((last?.at ?? 0) - (first?.at ?? 0)) / 1_000
}
