// What deciding costs as plans grow, and how soon a very large plan is under way.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_SETTINGS } from '../src/config.ts'
import { apply } from '../src/scheduler/apply/apply.ts'
import { emptyState } from '../src/scheduler/state.ts'
import { runSummary } from '../src/scheduler/view.ts'
import { openStore } from '../src/store/open.ts'
import type { RunSummary } from '../src/view.ts'
import { atMost, type Bar, type Benchmark, type Scene, type Table } from './benchmark.ts'
import { growing } from './growth.ts'
import { largePlan, planText, SHAPE_MEANS, SHAPES, type Shape } from './large-plan.ts'
import type { Probed } from './plan-probe.ts'
import { probe } from './probe.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'
import { newLimits, virtualRun } from './virtual-run.ts'

const SIZES = [1_000, 10_000, 100_000]
const SLOTS = 16
const REPEATS = 3
/** Tasks run of each plan; of the smallest, all there are. */
const FINISHED = 5_000

export const scheduler: Benchmark = {
  name: 'scheduler',
  about: 'cost per decision from 1,000 to 100,000 tasks; adding tasks; large plans; resuming',
  async run(at) {
    const cost = decisionCost(at)
    const growth = growing(at)
    const load = await loading(at)
    const again = await resuming(at)
    const all = [cost, growth, load, again]
    return { tables: all.map(({ table }) => table), bars: all.flatMap(({ bars }) => bars) }
  },
}

function decisionCost({ say }: Scene): { table: Table; bars: Bar[] } {
  const rows: (string | number)[][] = []
  const bars: Bar[] = []
  for (const shape of SHAPES) {
    say(`deciding: ${shape}`)
    microseconds(shape, 2_000) // so that the smallest is not the one that pays for compiling
    const costs = SIZES.map((size) => microseconds(shape, size))
    const growth = (costs.at(-1) as number) / (costs[0] as number)
    rows.push([shape, ...costs, growth, SHAPE_MEANS[shape]])
    bars.push(atMost(`${shape}: growth of a decision, ×100 tasks`, growth, GROWTH_LIMIT, '×'))
  }
  const columns = ['shape', ...SIZES.map((size) => `${size.toLocaleString('en-US')} tasks`), 'growth', 'what it is']
  const title = `µs per decision (decide and apply), the first ${FINISHED.toLocaleString('en-US')} tasks on ${SLOTS} slots`
  return { table: { title, columns, rows }, bars }
}

/** log(100,000) / log(1,000), doubled for what larger tables cost the processor's caches. */
const GROWTH_LIMIT = 2 * (Math.log(100_000) / Math.log(1_000))

/** The median over blocks of a hundred decisions, so that neither the collector nor a busy machine shows. */
function microseconds(shape: Shape, size: number): number {
  const plan = largePlan(size, shape)
  const limits = newLimits(SLOTS, { maxPerEpic: shape === 'epics' ? 2 : null })
  return median(Array.from({ length: REPEATS }, () => virtualRun(plan, { limits, until: FINISHED }).costs).flat())
}

async function loading({ scratch, say }: Scene): Promise<{ table: Table; bars: Bar[] }> {
  say('large plans')
  const json = join(scratch, 'large.json')
  const yaml = join(scratch, 'large.yaml')
  writeFileSync(json, planText(largePlan(100_000, 'layered'), 'json'))
  writeFileSync(yaml, planText(largePlan(2_000, 'layered'), 'yaml'))
  const repo = join(scratch, 'repo')
  await createSampleRepository(repo, 200)
  const decided = probe('decide', json)
  const dispatched = probe('dispatch', json, repo)
  const small = probe('decide', yaml)
  const checked = planCheckMs(json, repo)
  const parts = (probed: Probed) => [probed.readMs, probed.stateMs, probed.totalMs, probed.peakMb]
  return {
    table: {
      title: `ms in a process of its own, median of ${REPEATS}`,
      columns: ['plan', 'up to', 'read + check', 'load', 'in all', 'peak MB'],
      rows: [
        ['100,000 tasks, JSON', 'the first decision', ...parts(decided)],
        ['100,000 tasks, JSON', 'attempt.started (openRun)', ...parts(dispatched)],
        ['100,000 tasks, JSON', '`espalier plan check`', '', '', checked, ''],
        ['2,000 tasks, YAML', 'the first decision', ...parts(small)],
      ],
    },
    bars: [
      atMost('100,000 tasks: check, load, first dispatch', dispatched.totalMs, 3_000, 'ms'),
      atMost('100,000 tasks: peak memory', Math.max(decided.peakMb, dispatched.peakMb), 500, 'MB'),
      atMost('2,000 tasks in YAML', small.totalMs, 1_000, 'ms'),
    ],
  }
}

function planCheckMs(plan: string, repo: string): number {
  const bin = fileURLToPath(new URL('../bin/espalier.js', import.meta.url))
  const times = Array.from({ length: REPEATS }, () => {
    const start = performance.now()
    execFileSync(process.execPath, [bin, 'plan', 'check', plan], { cwd: repo, stdio: ['ignore', 'ignore', 'inherit'] })
    return performance.now() - start
  })
  return median(times)
}

/** A run of 10,000 tasks of which half have landed: from the file of the store to the state. */
async function resuming({ scratch, say }: Scene): Promise<{ table: Table; bars: Bar[] }> {
  say('resuming')
  const plan = largePlan(10_000, 'layered')
  const limits = newLimits(SLOTS)
  const { events, state } = virtualRun(plan, { limits, until: 5_000, keep: true })
  const store = await openStore(join(scratch, 'state.db'))
  if (!store.ok) throw new Error('the store could not be opened')
  await using db = store.value
  await db.createRun({
    id: 'bench-1',
    name: 'bench',
    repo: scratch,
    planFile: null,
    createdAt: 0,
    plan,
    settings: DEFAULT_SETTINGS,
  })
  const view: RunSummary = runSummary(state, { run: 'bench-1', name: 'bench', repo: scratch, enginePid: process.pid })
  await db.append('bench-1', events, { run: view, tasks: [] })
  const times: { read: number; apply: number }[] = []
  for (let n = 0; n < REPEATS; n++) {
    const start = performance.now()
    const run = await db.run('bench-1')
    const journal = await db.events('bench-1')
    const read = performance.now()
    const again = journal.reduce(apply, emptyState(run?.plan ?? plan, limits))
    times.push({ read: read - start, apply: performance.now() - read })
    if (again.counts.landed !== state.counts.landed) throw new Error('the journal gave another state')
  }
  const all = median(times.map((time) => time.read + time.apply))
  const row = [events.length, median(times.map((time) => time.read)), median(times.map((time) => time.apply)), all]
  return {
    table: {
      title: `ms from the store to the state, 10,000 tasks of which 5,000 have landed, median of ${REPEATS}`,
      columns: ['events', 'read + check', 'graph + replay', 'in all'],
      rows: [row],
    },
    bars: [atMost('10,000 tasks, half done: journal to state', all, 1_000, 'ms')],
  }
}
