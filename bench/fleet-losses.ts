// How long it takes until others go on where a worker or the coordinator was killed.
import { existsSync, writeFileSync } from 'node:fs'
import { openStore } from '../src/store/open.ts'
import { Machines } from '../test/fleet/machines.ts'
import { FleetRig } from '../test/fleet/worker-rig.ts'
import { type PostgresServer, startPostgres } from '../test/rig/postgres-server.ts'
import { until } from '../test/rig/until.ts'
import { atMost, type Report, type Scene } from './benchmark.ts'

const LOST_S = 15

export async function losses({ say }: Scene): Promise<Report> {
  await using postgres = await startPostgres()
  say('a worker is killed')
  const worker = await workerKilled(postgres)
  say('a coordinator is killed')
  const coordinator = await coordinatorKilled(postgres)
  return {
    tables: [
      {
        title: 'after kill -9',
        columns: ['', 'seconds'],
        rows: [
          ['worker: its task starts elsewhere', worker],
          ['coordinator: the standby decides', coordinator],
        ],
      },
    ],
    bars: [
      atMost('worker killed: its task starts elsewhere', worker, LOST_S, 's'),
      atMost('coordinator killed: the standby decides', coordinator, LOST_S, 's'),
    ],
  }
}

async function workerKilled(postgres: PostgresServer): Promise<number> {
  await using database = await postgres.newDatabase()
  const command = '[ -e "$HOME/gate" ] || { touch "$HOME/begun"; exec sleep 600; }; echo x > a.txt'
  await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n  - {id: a, run: '${command}'}\n`)
  const workers = new Map([
    ['one', await rig.worker('one')],
    ['two', await rig.worker('two')],
  ])
  for (const worker of workers.values()) await worker.says(/joined repo/)
  const run = rig.run('--workers-only', '--json')
  await until('it has begun', () => existsSync(rig.home.at('begun')))
  const starts = () => run.events.filter((event) => event.type === 'attempt.started')
  const [first] = await until('it is told', () => (starts().length > 0 ? starts() : null))
  writeFileSync(rig.home.at('gate'), '')
  await workers.get(first?.worker ?? '')?.kill()
  const since = performance.now()
  await until('it starts elsewhere', () => starts().length > 1, 60_000)
  const seconds = (performance.now() - since) / 1_000
  if ((await run.ends()) !== 0) throw new Error(run.heard)
  return seconds
}

/** On another machine, with a clone and a state folder of its own. What it decides first is to begin the task anew. */
async function coordinatorKilled(postgres: PostgresServer): Promise<number> {
  await using database = await postgres.newDatabase()
  await using machines = await Machines.open(database.url, '')
  const command = `until [ -e ${machines.repository.at('all')} ]; do sleep 0.05; done; echo x > a.txt`
  await machines.repository.write('plan.yaml', `name: shop\ntasks:\n  - {id: a, run: '${command}'}\n`)
  machines.repository.commit('a plan')
  const first = machines.start(machines.add('one'), 'run', '--standby', 'plan.yaml')
  await first.says('● a started')
  const second = machines.start(machines.add('two'), 'run', '--standby', 'plan.yaml')
  await second.says('standing by')
  const opened = await openStore(database.url, 'read')
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems))
  await using store = opened.value
  const before = (await store.events('shop-1')).length
  await first.kill()
  const since = performance.now()
  await until('the standby has written', async () => (await store.events('shop-1')).length > before, 60_000)
  const seconds = (performance.now() - since) / 1_000
  machines.allow('all')
  if ((await second.ended()) !== 0) throw new Error(second.heard)
  return seconds
}
