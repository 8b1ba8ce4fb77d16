// How soon a task begins on a worker: from its start in the journal to the first thing its command does.
import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FleetRig } from '../test/fleet/worker-rig.ts'
import { startPostgres } from '../test/rig/postgres-server.ts'
import type { Program } from '../test/rig/program.ts'
import { TestRepository } from '../test/rig/repository.ts'
import { atMost, type Report, type Scene } from './benchmark.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median, percentile } from './statistics.ts'

const START_MS = 100
const CHAIN = 30
const TRANSFER_MS = 500
const FILES = 20_000
const COMMITS = 10
const CHANGED = 20
const TIMES = 5

/** A chain: each task finds the fleet idle, and begins with a commit that its worker does not have yet. */
export async function startLatency({ say }: Scene): Promise<Report> {
  say(`a chain of ${CHAIN} tasks on an idle worker`)
  await using postgres = await startPostgres()
  await using database = await postgres.newDatabase()
  const task = (n: number) =>
    `  - {id: t${n}, run: '${NOTE}; echo ${n} > out-${n}.txt'${n === 0 ? '' : `, needs: [t${n - 1}]`}}`
  const tasks = Array.from({ length: CHAIN }, (_, n) => task(n)).join('\n')
  await using rig = await FleetRig.open(database.url, `name: chain\ntasks:\n${tasks}\n`)
  await (await rig.worker('one', '--slots', '1')).says(/joined repo/)
  // The first one pays for everything that is made once.
  const starts = (await startsOf(rig, 'chain')).slice(1)
  const rows = [[CHAIN - 1, median(starts), percentile(starts, 0.9), Math.max(...starts)]]
  const columns = ['tasks', 'ms, median', '90th of 100', 'most']
  return {
    tables: [{ title: 'start of a task on an idle fleet, a new base each time', columns, rows }],
    bars: [atMost('start of a task on an idle fleet, median', median(starts), START_MS, 'ms')],
  }
}

/** A worker that has been at work: its worktree is there, and so are all commits but the newest. */
export async function transfer({ scratch, say }: Scene): Promise<Report> {
  say(`a base that is ${COMMITS} commits newer, on ${FILES} files`)
  await using postgres = await startPostgres()
  await using database = await postgres.newDatabase()
  const repository = new TestRepository(join(scratch, 'large'))
  const paths = await createSampleRepository(repository.top, FILES)
  await repository.write('plan.yaml', `name: large\ntasks:\n  - {id: t0, run: '${NOTE}; echo 1 > out.txt'}\n`)
  repository.commit('a plan')
  await using rig = await FleetRig.on(database.url, repository)
  await (await rig.worker('one', '--slots', '1')).says(/joined/)
  const [cold = 0] = await startsOf(rig, 'cold')
  const warm: number[] = []
  for (let n = 0; n < TIMES; n++) {
    for (let commit = 0; commit < COMMITS; commit++) {
      const changed = Array.from(
        { length: CHANGED },
        (_, k) => paths[(n * 7_919 + commit * 613 + k * 31) % FILES] ?? '',
      )
      for (const path of changed) await appendFile(join(repository.top, path), `// ${n} ${commit}\n`)
      repository.commit(`change ${n} ${commit}`)
    }
    warm.push((await startsOf(rig, `warm ${n}`))[0] ?? 0)
  }
  const title = `${FILES} files: from the start in the journal to the command, objects and checkout included`
  const rows = [
    ['cold', cold],
    [`warm, ${COMMITS} commits of ${CHANGED} files newer, median of ${TIMES}`, median(warm)],
  ]
  return {
    tables: [{ title, columns: ['worker', 'ms'], rows }],
    bars: [atMost(`a base ${COMMITS} commits newer on a warm worker`, median(warm), TRANSFER_MS, 'ms')],
  }
}

const NOTE = 'date +%s%N > "$HOME/began-$ESPALIER_TASK"'

/** In the order of the journal. */
async function startsOf(rig: FleetRig, what: string): Promise<number[]> {
  const run: Program = rig.run('--workers-only', '--json')
  if ((await run.ends()) !== 0) throw new Error(`${what}: ${run.heard}`)
  return run.events.flatMap((event) => {
    if (event.type !== 'attempt.started') return []
    const beganNs = readFileSync(rig.home.at(`began-${event.task}`), 'utf8')
    return [Number(beganNs) / 1e6 - event.at]
  })
}
