// Suites: how close to the best possible order, how much of the workers' time is used, and what a small entry costs.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SuiteReport } from '../src/workloads/suite/report.ts'
import { type Look, stabilityOf } from '../src/workloads/suite/statistics.ts'
import { random } from '../test/simulation/random.ts'
import { atLeast, atMost, type Bar, type Benchmark, type Report, type Scene, type Table } from './benchmark.ts'
import { createSampleRepository } from './sample-repository.ts'
import { runSuite } from './suite-run.ts'

export const suite: Benchmark = {
  name: 'suite',
  about: 'entries of suites: order, efficiency, small entries on a large repository, flaky ones',
  async run(scene) {
    const parts = [await order(scene), await efficiency(scene), await small(scene), flakes()]
    return { tables: parts.flatMap(({ tables }) => tables), bars: parts.flatMap(({ bars }) => bars) }
  },
}

type Entry = { id: string; run: string }

/** All of it has to pass: a benchmark of failures measures nothing. */
async function run(repo: string, entries: Entry[], workers: number): Promise<SuiteReport & { wallMs: number }> {
  const report = await runSuite(repo, entries, { workers, retries: 0 })
  if (!report.ok) throw new Error(JSON.stringify(report.entries.find(({ failure }) => failure)?.failure))
  return report
}

/** From the start of the first entry to the end of the last. */
function makespan({ entries }: SuiteReport): number {
  const tries = entries.flatMap((entry) => entry.tries)
  return Math.max(...tries.map((one) => one.finishedAt ?? 0)) - Math.min(...tries.map((one) => one.startedAt))
}

/** The document's example, a minute as a second. The best possible of 10, 8, 12, 9, 11 on three workers is 19. */
async function order({ scratch, say }: Scene): Promise<Report> {
  const repo = join(scratch, 'order')
  await createSampleRepository(repo, 200)
  const entries = [10, 8, 12, 9, 11].map((seconds, n) => ({ id: `test-${n + 1}`, run: `sleep ${seconds}` }))
  say('10, 8, 12, 9 and 11 s on 3 workers, without and with a history')
  const first = makespan(await run(repo, entries, 3))
  const second = makespan(await run(repo, entries, 3))
  const best = 19_000
  const rows = [
    ['as written (first in, first out: 21 s)', first / 1000, first / best],
    ['longest first, by the history of that run', second / 1000, second / best],
    ['the best possible', best / 1000, 1],
  ]
  return {
    tables: [{ title: '10, 8, 12, 9 and 11 s on 3 workers', columns: ['', 's', '× best'], rows }],
    bars: [atMost('makespan / the best possible', second / best, 1.02, '×')],
  }
}

/** Entries for each worker. */
const EACH = 4

async function efficiency({ scratch, say }: Scene): Promise<Report> {
  const repo = join(scratch, 'efficiency')
  await createSampleRepository(repo, 200)
  const rows: Table['rows'] = []
  const bars: Bar[] = []
  for (const workers of [2, 3]) {
    const count = workers * EACH
    say(`${count} entries of 5 s on ${workers} workers`)
    const entries = Array.from({ length: count }, (_, n) => ({ id: `e${n}`, run: 'sleep 5' }))
    const report = await run(repo, entries, workers)
    const used = (entries.length * 5_000) / (makespan(report) * workers)
    rows.push([workers, makespan(report) / 1000, used])
    bars.push(atLeast(`slot time used by commands, ${workers} workers`, used, 0.98))
  }
  return { tables: [{ title: 'equal entries of 5 s', columns: ['workers', 's', 'used'], rows }], bars }
}

const SMALL = { files: 20_000, entries: 500, workers: 4, ms: 50 }

async function small({ scratch, say }: Scene): Promise<Report> {
  const repo = join(scratch, 'small')
  await createSampleRepository(repo, SMALL.files)
  say(`${SMALL.entries} entries of ${SMALL.ms} ms on ${SMALL.files} files`)
  const entries = Array.from({ length: SMALL.entries }, (_, n) => ({ id: `e${n}`, run: 'sleep 0.05' }))
  const { wallMs } = await run(repo, entries, SMALL.workers)
  const ideal = (SMALL.entries * SMALL.ms) / SMALL.workers
  const added = (wallMs - ideal) / SMALL.entries
  say('the same with git worktree add, the command, git worktree remove; four at a time')
  const shell = byHand(repo, scratch)
  const rows = [
    ['suite run', SMALL.entries, wallMs / 1000, wallMs / SMALL.entries],
    ['git worktree add + command + remove', shell.entries, shell.ms / 1000, shell.ms / shell.entries],
  ]
  return {
    tables: [
      {
        title: `entries of ${SMALL.ms} ms on ${SMALL.files} files, ${SMALL.workers} workers`,
        columns: ['', 'entries', 's', 'ms each'],
        rows,
      },
    ],
    bars: [
      atMost('added wall time per entry', added, 150, 'ms'),
      atLeast(
        'times faster than git worktree add and remove',
        shell.ms / shell.entries / (wallMs / SMALL.entries),
        10,
        '×',
      ),
    ],
  }
}

/** Fewer of them: each takes seconds. */
function byHand(repo: string, scratch: string): { entries: number; ms: number } {
  const entries = 8
  const script = join(scratch, 'by-hand.sh')
  writeFileSync(
    script,
    `cd "$1" && git worktree add -q --detach "$2/wt-$3" && (cd "$2/wt-$3" && sleep 0.05) && git worktree remove --force "$2/wt-$3"\n`,
  )
  const start = performance.now()
  const numbers = Array.from({ length: entries }, (_, n) => String(n)).join('\n')
  execFileSync('xargs', ['-P', String(SMALL.workers), '-I', '{}', 'sh', script, repo, scratch, '{}'], {
    input: numbers,
  })
  return { entries, ms: performance.now() - start }
}

function flakes(): Report {
  const rows: Table['rows'] = []
  const bars: Bar[] = []
  for (const [rate, kind] of [
    [0, 'stable'],
    [0.05, 'flaky'],
    [0.2, 'flaky'],
    [0.5, 'flaky'],
    [1, 'broken'],
  ] as const) {
    const right = Array.from({ length: 100 }, (_, seed) => stabilityOf(history(rate, seed))).filter(
      (one) => one.kind === kind,
    ).length
    rows.push([`${rate * 100} %`, kind, right])
    bars.push(atLeast(`histories with ${rate * 100} % failures called ${kind}, of 100`, right, 95))
  }
  return {
    tables: [
      {
        title: '100 histories of 100 runs each, two retries, a new tree every 5 runs',
        columns: ['fails', 'is', 'called so'],
        rows,
      },
    ],
    bars,
  }
}

function history(rate: number, seed: number): Look[] {
  const rnd = random(seed + 1)
  return Array.from({ length: 100 }, (_, n) => {
    const tries: boolean[] = []
    while (tries.length < 3 && tries.at(-1) !== true) tries.push(!rnd.chance(rate))
    return { tree: `tree-${Math.floor(n / 5)}`, tries }
  })
}
