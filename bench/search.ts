// Searches: how long the tree takes against the work in it, with and without starting on nodes that are certain; and what ten thousand
// evals cost to look at and to resume.
import { join } from 'node:path'
import { limitsOf } from '../src/engine/open/limits.ts'
import { searchSettings } from '../src/engine/open/open-search.ts'
import { readSearchRun } from '../src/engine/query/search-tree.ts'
import type { Event } from '../src/event.ts'
import { DEFAULT_SETTINGS, openRun, resumeRun } from '../src/index.ts'
import { runSummary, taskView } from '../src/scheduler/view.ts'
import type { Search } from '../src/search-definition.ts'
import { openStore } from '../src/store/open.ts'
import type { Task } from '../src/task.ts'
import { firstPlan } from '../src/workloads/search/tasks.ts'
import { Tree } from '../src/workloads/search/tree.ts'
import { stateFolder } from '../src/workspace/state-folder.ts'
import { chanceOf, type Ended, hashOf, makeSearch, virtualSearch } from '../test/rig/virtual-search.ts'
import { workspaceAt } from '../test/rig/workspace-at.ts'
import { atMost, type Benchmark } from './benchmark.ts'
import { createSampleRepository } from './sample-repository.ts'
import { mean, median } from './statistics.ts'

const SEEDS = 300
const EVALS = 10_000
const REPEATS = 5

export const search: Benchmark = {
  name: 'search',
  about: 'searches: makespan / work on a virtual clock; 10,000 evals in one manifest',
  async run({ scratch, say }) {
    say(`${SEEDS} searches on a virtual clock`)
    const rows = [8, 4].map((slots) => {
      const ratio = (eager: boolean) =>
        mean(Array.from({ length: SEEDS }, (_, seed) => ratioOf(seed + 1, slots, eager)))
      return [slots, ratio(false), ratio(true)] as const
    })
    say('promotion')
    const promotion = [1_000, 10_000].map((evals) => [evals, usPerEval(evals)] as const)
    say(`a search of ${EVALS} evals`)
    const large = await largeSearch(join(scratch, 'repo'))
    const eager = (slots: number) => rows.find(([of]) => of === slots)?.[2] ?? Number.POSITIVE_INFINITY
    return {
      tables: [
        {
          title: 'makespan / (work / slots): beam 3, 8 ideas a node, 4 depths of 24 evals, lognormal (σ 0.8), mean',
          columns: ['slots', 'barrier', 'eager'],
          rows: rows.map((row) => [...row]),
        },
        {
          title: 'one depth, all its evals in, µs of CPU an eval',
          columns: ['evals', 'µs'],
          rows: promotion.map((row) => [...row]),
        },
        {
          title: `${EVALS.toLocaleString('en-US')} evals, ms, median of ${REPEATS}`,
          columns: ['', 'ms', 'CPU ms'],
          rows: [
            ['search show (manifest from the store)', large.show.ms, large.show.cpuMs],
            ['resumeRun to the first task', large.resume.ms, large.resume.cpuMs],
          ],
        },
      ],
      bars: [
        atMost('eager, 8 slots', eager(8), 1.33, '×'),
        atMost('eager, 4 slots', eager(4), 1.07, '×'),
        atMost('search show of 10,000 evals', large.show.ms, 1_000, 'ms'),
        atMost('resume of 10,000 evals', large.resume.ms, 1_000, 'ms'),
        atMost('promotion, 10,000 against 1,000, per eval', promotion[1]![1] / promotion[0]![1], 3, '×'),
      ],
    }
  },
}

/** The first depth, of which only one node could be tried on, takes no time: the four that are measured have three. */
function ratioOf(seed: number, slots: number, eager: boolean): number {
  const of = makeSearch({ beam: 3, depth: 5, eager }, 8)
  let work = 0
  const counted = new Set<string>()
  const attempt = (task: Task): Ended => {
    const role = task.search
    if (role?.role !== 'judge' || role.eval === 'root') {
      const root = role?.role === 'judge' ? { tree: hashOf('root'), score: 0 } : {}
      return { ms: 0, ok: true, ...root }
    }
    const isFirst = role.eval.startsWith('root-')
    const ms = isFirst ? 0 : Math.round(1000 * Math.exp(0.8 * normal(seed, role.eval)))
    if (!counted.has(role.eval)) work += ms
    counted.add(role.eval)
    const depth = depths.get(role.eval.slice(0, role.eval.lastIndexOf('-'))) ?? 0
    const tree = hashOf(`${seed} ${role.eval}`)
    depths.set(`n${tree.slice(0, 12)}`, depth + 1)
    return { ms, ok: true, tree, score: depth + 1 + chanceOf(seed, role.eval, 'score') }
  }
  const depths = new Map<string, number>()
  const { makespanMs } = virtualSearch(of, { slots }, { attempt })
  return makespanMs / (work / slots)
}

function normal(...words: (string | number)[]): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chanceOf(...words, 'a')))
  return radius * Math.cos(2 * Math.PI * chanceOf(...words, 'b'))
}

/** From the first outcome of a depth to its last. */
function usPerEval(evals: number): number {
  const times = Array.from({ length: 3 }, () => {
    const tree = new Tree(makeSearch({ beam: 3, depth: 1 }, evals))
    const done = new Set(['root'])
    const outcome = (id: string) =>
      done.has(id)
        ? ({ state: 'scored', score: chanceOf(id), spread: 0, tree: hashOf(id) } as const)
        : ({ state: 'open' } as const)
    const known = { outcome, proposed: () => null }
    const added = tree.advance(known)
    const cost = measured()
    for (const { id } of added) {
      done.add(id)
      tree.advance(known, [id])
    }
    return (cost().cpuMs * 1000) / evals
  })
  return median(times)
}

/** A run whose journal has all evals of its first depth done but the last few, and whose engine is gone. */
async function largeSearch(repo: string): Promise<Record<'show' | 'resume', Cost>> {
  await createSampleRepository(repo, 200)
  const of: Search = makeSearch({ beam: 3, depth: 1 }, 1_000)
  of.ideas = Array.from({ length: EVALS }, (_, n) => ({ path: `ideas/${n}.md`, text: `idea ${n}` }))
  const plan = firstPlan(of, { name: 'search', root: null })
  const settings = searchSettings({ ...DEFAULT_SETTINGS, maxConcurrency: 4 })
  const opened = await openRun(await workspaceAt(repo), { plan, settings })
  if (!opened.ok) throw new Error(opened.problems[0]?.message)
  const { id } = opened.value
  const { base } = opened.value.status()
  await opened.value[Symbol.asyncDispose]()
  const attempt = (task: Task): Ended => {
    if (task.search?.role !== 'judge') return { ms: 1, ok: true }
    return { ms: 1, ok: true, tree: hashOf(task.id), score: chanceOf(task.id) }
  }
  const virtual = virtualSearch(of, { slots: 4, until: 2 * EVALS - 10 }, { attempt })
  const real = (text: string) => text.replaceAll(/"(commit|base|onto)":"[0-9a-f]{40}"/g, `"$1":"${base}"`)
  const [, ...events] = virtual.events.map(
    (event): Event => ({ ...JSON.parse(real(JSON.stringify(event))), at: Date.now() }),
  )
  const store = await openStore(stateFolder(repo, null).database)
  if (!store.ok) throw new Error(store.problems[0]?.message)
  {
    await using written = store.value
    const state = { ...virtual.state, base, head: base, branch: `espalier/${id}`, limits: limitsOf(settings) }
    const tasks = state.graph.tasks.map((_, index) => taskView(state, index))
    const facts = { run: id, name: plan.name, repo, enginePid: 1 }
    await written.append(id, events, { run: runSummary(state, facts), tasks })
  }
  const shows: Cost[] = []
  const resumes: Cost[] = []
  for (let n = 0; n < REPEATS; n++) {
    const showing = measured()
    const read = await readSearchRun(await workspaceAt(repo), { run: id })
    if (!read.ok || read.value.manifest.evals.length !== EVALS) throw new Error('the manifest is not whole')
    JSON.stringify(read.value.manifest)
    shows.push(showing())
    const began = performance.now()
    const resuming = measured()
    const resumed = await resumeRun(await workspaceAt(repo), { run: id })
    if (!resumed.ok) throw new Error(resumed.problems[0]?.message)
    await using run = resumed.value
    const executing = run.execute()
    for await (const event of run.events())
      if (event.type === 'attempt.started' && event.at >= began + performance.timeOrigin) break
    resumes.push(resuming())
    run.abandon()
    await executing
  }
  return { show: middle(shows), resume: middle(resumes) }
}

/** On a machine that others use as well, wall time says little. */
type Cost = { ms: number; cpuMs: number }

function measured(): () => Cost {
  const [began, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return { ms: performance.now() - began, cpuMs: (user + system) / 1000 }
  }
}

function middle(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) }
}
