// A search chooses the same however many evals run at a time, whatever is done first, with and without starting early, and however
// often its engine is killed: 10,000 seeds in the whole, with random times, failures, retries, ties, duplicates and noise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunState } from '../../../src/scheduler/state.ts'
import type { Search } from '../../../src/search-definition.ts'
import type { Task } from '../../../src/task.ts'
import { WHOLE } from '../../rig/sampled.ts'
import { chanceOf, type Ended, hashOf, makeSearch, timeless, virtualSearch } from '../../rig/virtual-search.ts'

const SEEDS = WHOLE ? 10_000 : 120

test(`parallel = serial, eager = barrier, killed = undisturbed, for ${SEEDS} seeds`, () => {
  let early = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const search = randomSearch(seed)
    const retries = Math.floor(chanceOf(seed, 'retries') * 3)
    const of = (slots: number, eager: boolean, kills: number) => {
      let asked = 0
      const isKilled = () => chanceOf(seed, 'kill', slots, asked++) < kills
      return virtualSearch({ ...search, eager }, { slots, retries }, { attempt: world(seed, slots), isKilled })
    }
    const serial = of(1, false, 0)
    const expected = timeless(serial.manifest)
    const tried = tasksOf(serial.state)
    assert.notEqual(serial.manifest.root?.score, null)
    for (const [slots, eager, kills] of [
      [1, true, 0],
      [2, true, 0.05],
      [4, true, 0],
      [8, true, 0.05],
      [8, false, 0],
    ] as const) {
      const other = of(slots, eager, kills)
      assert.equal(timeless(other.manifest), expected, `seed ${seed}, ${slots} at a time${eager ? ', eager' : ''}`)
      // The manifest is made of the results alone: what was tried besides would not be in it.
      assert.deepEqual(tasksOf(other.state), tried, `seed ${seed}, ${slots} at a time`)
      if (slots === 8 && eager) early += beganEarly(other.manifest.evals) ? 1 : 0
    }
  }
  assert.ok(early > SEEDS / 20, `only ${early} of ${SEEDS} searches began a depth before the one before it was done`)
})

function tasksOf({ graph }: RunState): string[] {
  return graph.tasks.map(({ id }) => id).sort()
}

function beganEarly(evals: { depth: number; started_at: number | null; finished_at: number | null }[]): boolean {
  return evals.some(({ depth, started_at }) =>
    evals.some((one) => one.depth === depth - 1 && started_at !== null && (one.finished_at ?? 0) > started_at),
  )
}

function randomSearch(seed: number): Search {
  const pick = (what: string, from: number, to: number) => from + Math.floor(chanceOf(seed, what) * (to - from + 1))
  const step = (name: string) => ({ name, work: { kind: 'command', command: 'true' } }) as const
  return makeSearch(
    {
      beam: pick('beam', 1, 4),
      depth: pick('depth', 1, 3),
      score: { ...makeSearch().score, goal: chanceOf(seed, 'goal') < 0.5 ? 'max' : 'min' },
      minImprovement: { amount: pick('min', 0, 2), unit: chanceOf(seed, 'unit') < 0.5 ? 'absolute' : 'percent' },
      steps: chanceOf(seed, 'steps') < 0.7 ? [step('implement')] : [step('implement'), step('review')],
    },
    pick('ideas', 2, 8),
  )
}

/** Times depend on how many run at a time, and nothing else does. Trees are sets of numbers, so that ways may meet. */
function world(seed: number, slots: number): (task: Task, attempt: number) => Ended {
  const trees = new Map<string, string>([['root', '']])
  return (task, attempt) => {
    const ms = 1 + Math.floor(Math.exp(3 * chanceOf(seed, slots, task.id, attempt)) * 20)
    const role = task.search
    if (role?.role === 'step') return { ms, ok: chanceOf(seed, task.id, attempt, 'fails') >= 0.15 }
    if (role?.role !== 'judge') return { ms, ok: true }
    if (role.eval === 'root') return { ms, ok: true, tree: hashOf('tree '), score: 100 }
    if (chanceOf(seed, task.id, attempt, 'judge') < 0.1) return { ms, ok: false }
    const parent = trees.get(role.eval.slice(0, role.eval.lastIndexOf('-'))) ?? ''
    const added = Math.floor(chanceOf(seed, role.eval) * 9)
    const numbers = new Set([...parent.split(','), String(added)].filter((one) => one !== '' && one !== '0'))
    const content = [...numbers].sort().join(',')
    const tree = hashOf(`tree ${content}`)
    trees.set(`n${tree.slice(0, 12)}`, content)
    // Few different values, so that there are ties; the same tree is not always measured the same.
    const score = 100 + [...numbers].reduce((sum, n) => sum + Math.floor(chanceOf(seed, n, 'worth') * 7) - 1, 0)
    const noise = seed % 3 === 0 ? Math.floor(chanceOf(seed, role.eval, 'noise') * 2) : 0
    return { ms, ok: true, tree, score: score + noise, samples: [score + noise] }
  }
}
