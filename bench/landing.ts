// Landings as the engine makes them, when everything has finished at the same moment: merge, check, move the branch.
// One after the other, as if each had come alone, and all in one batch, as the engine does it. Then the user's branch is
// moved once.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type EngineRepository, openEngineRepository } from '../src/git/engine/engine-repository.ts'
import { runBranch } from '../src/git/engine/ref-names.ts'
import { moveBranch } from '../src/git/landing/merge-onto.ts'
import { publish } from '../src/git/user/publish.ts'
import { inspect } from '../src/git/user/repository.ts'
import { buildBatch } from '../src/landing/build-and-move.ts'
import { atMost, type Benchmark } from './benchmark.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median, percentile } from './statistics.ts'

const FILES = 10_000
const BRANCHES = 64
const REPEATS = 3
const PLACE = { conflict: 'fail', merge: 'regular', signOff: null } as const

export const landing: Benchmark = {
  name: 'landing',
  about: `${BRANCHES} small branches on ${FILES.toLocaleString('en-US')} files, all from the same base, no verification`,
  async run({ scratch }) {
    const repo = join(scratch, 'repo')
    const paths = await createSampleRepository(repo, FILES)
    const { base, works } = sampleBranches(repo, paths, BRANCHES)
    const user = await inspect(repo)
    if (!user.ok) throw new Error(user.problems[0]?.message)
    const engine = await openEngineRepository(`${repo}.espalier`, user.value)

    const each: number[] = []
    const totals: number[] = []
    const published: number[] = []
    const batches: number[] = []
    for (let repeat = 1; repeat <= REPEATS; repeat++) {
      const run = `bench-${repeat}`
      await moveBranch(engine, { ref: runBranch(run), to: base, from: null })
      let onto = base
      const start = performance.now()
      for (const [n, work] of works.entries()) {
        const began = performance.now()
        const tasks = [{ id: `t${n}`, title: `task ${n}`, attempt: 1, base }]
        const items = [{ tasks, commit: work, hasAgent: false }]
        const [fact] = await buildBatch({ ...PLACE, engine, run }, { items, onto, head: onto, verify: false })
        if (fact?.type !== 'landing.landed') throw new Error(`${n} did not land: ${JSON.stringify(fact)}`)
        onto = fact.commit
        each.push(performance.now() - began)
      }
      const landed = performance.now()
      const shown = await publish(engine, { run, base, to: onto })
      if (!shown.ok) throw new Error(shown.message)
      published.push(performance.now() - landed)
      totals.push(performance.now() - start)
      batches.push(await inOneBatch(engine, `batch-${repeat}`, base, works))
    }
    const rows = [[median(each), percentile(each, 0.95), median(published), median(totals), median(batches)]]
    const columns = [
      'one landing, median',
      'one landing, p95',
      'publishing all',
      'all landed and published',
      'in a batch',
    ]
    return {
      tables: [{ title: `ms, median of ${REPEATS}`, columns, rows }],
      bars: [
        atMost('one landing, median', median(each), 20, 'ms'),
        atMost(`${BRANCHES} landed after the last finishes`, median(totals), 2_000, 'ms'),
        atMost('the same in one batch', median(batches), 2_000, 'ms'),
      ],
    }
  },
}

async function inOneBatch(engine: EngineRepository, run: string, base: string, works: string[]): Promise<number> {
  await moveBranch(engine, { ref: runBranch(run), to: base, from: null })
  const items = works.map((commit, n) => {
    return { tasks: [{ id: `t${n}`, title: `task ${n}`, attempt: 1, base }], commit, hasAgent: false }
  })
  const start = performance.now()
  const facts = await buildBatch({ ...PLACE, engine, run }, { items, onto: base, head: base, verify: false })
  const last = facts.at(-1)
  if (facts.length !== works.length || last?.type !== 'landing.landed') throw new Error(JSON.stringify(facts))
  const shown = await publish(engine, { run, base, to: last.commit })
  if (!shown.ok) throw new Error(shown.message)
  return performance.now() - start
}

/** Branches from one base. Each changes three files that no other does. */
export function sampleBranches(
  repo: string,
  paths: readonly string[],
  count: number,
): { base: string; works: string[] } {
  const base = git(repo, ['rev-parse', 'HEAD']).trim()
  const stride = Math.floor(paths.length / (count * 3))
  const commits = Array.from({ length: count }, (_, n) => {
    const changes = [0, 1, 2].map((k) => `M 100644 inline ${paths[(n * 3 + k) * stride]}\ndata 7\nwork ${k}\n`)
    return (
      `commit refs/heads/work-${n}\ncommitter Bench <bench@example.org> 1700000000 +0000\n` +
      `data 4\nwork\nfrom ${base}\n${changes.join('')}\n`
    )
  })
  git(repo, ['fast-import', '--quiet'], commits.join(''))
  return { base, works: Array.from({ length: count }, (_, n) => git(repo, ['rev-parse', `work-${n}`]).trim()) }
}

function git(cwd: string, args: string[], input = ''): string {
  return execFileSync('git', args, { cwd, input, encoding: 'utf8' })
}
