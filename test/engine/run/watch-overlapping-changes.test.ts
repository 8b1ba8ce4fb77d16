// Running tasks that change the same paths without having claimed them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNews, OverlapWatch, overlapsOf, type Working } from '../../../src/engine/run/watch-overlapping-changes.ts'
import type { Fact } from '../../../src/event.ts'
import { type RunEvent, readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig, type Started } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { Core, planOf } from '../../scheduler/plan-rig.ts'

const attempt = (task: string) => ({ task, attempt: 1 })

test('pairs of those that changed the same, with the paths', () => {
  const changed = new Map([
    [attempt('a'), ['x', 'y', 'only-a']],
    [attempt('b'), ['y', 'x', 'z']],
    [attempt('c'), ['z']],
  ])
  const pairs = overlapsOf(changed).map(({ attempts: [one, other], paths }) => [one.task, other.task, ...paths])
  assert.deepEqual(pairs, [
    ['a', 'b', 'x', 'y'],
    ['b', 'c', 'z'],
  ])
})

test('a path that a thousand change gives as many pairs as are told, not half a million', () => {
  const changed = new Map(Array.from({ length: 1_000 }, (_, n) => [attempt(`t${n}`), ['package.json']]))
  assert.equal(overlapsOf(changed).length, 100)
})

test('thousands of common paths are told as their folders', () => {
  const paths = Array.from({ length: 3_000 }, (_, n) => `gen/${n}`)
  const [found] = overlapsOf(new Map([attempt('a'), attempt('b')].map((one) => [one, paths])))
  assert.deepEqual([found?.paths, found?.count], [['gen/'], 3_000])
})

test('one look at a time, none for a single task, and what is known is no news', async () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }))
  const told: Fact[] = []
  const asked: string[] = []
  let answer = (_: string[]) => {}
  const working = (task: string): Working => ({
    ...attempt(task),
    changedPaths() {
      asked.push(task)
      return task === 'a' ? new Promise<string[]>((resolve) => (answer = resolve)) : Promise.resolve(['x'])
    },
  })
  const watch = new OverlapWatch(core.state, (fact) => told.push(fact))
  await watch.look([working('a')])
  assert.deepEqual(asked, [])
  const first = watch.look([working('a'), working('b')])
  await watch.look([working('a'), working('b')])
  assert.deepEqual(asked, ['a'])
  answer(['x'])
  await first
  const [fact] = told
  assert.ok(fact?.type === 'attempt.overlapped' && isNews(core.state, fact))
  core.tell(fact)
  assert.ok(!isNews(core.state, fact))
  assert.ok(isNews(core.state, { ...fact, paths: ['x', 'y'] }))
  core.fail('b')
  assert.ok(!isNews(core.state, { ...fact, paths: ['y'] }), 'one of them is gone')
})

test('a worktree in which no agent is at work says nothing, and neither does one that cannot be read', async () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }), { slots: 3 })
  const told: Fact[] = []
  const watch = new OverlapWatch(core.state, (fact) => told.push(fact))
  await watch.look([
    { ...attempt('a'), changedPaths: async () => null },
    { ...attempt('b'), changedPaths: async () => ['x'] },
    { ...attempt('c'), changedPaths: () => Promise.reject(new Error('no such folder')) },
  ])
  assert.deepEqual(told, [])
})

const QUICK = { compareEveryMs: 50 }

/** On a busy machine a look takes long, and the rest after it longer still. */
async function sawOverlap(
  { events }: Pick<Started, 'events'>,
  wanted: (event: Overlapped) => boolean = () => true,
): Promise<Overlapped> {
  const find = () => events.find((event) => event.type === 'attempt.overlapped' && wanted(event)) as Overlapped
  return until('an overlap', find, 60_000)
}

type Overlapped = Extract<RunEvent, { type: 'attempt.overlapped' }>

test('it is noticed while they run, told once, and seen from another process', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }], QUICK)
  const [a, b, c] = [await rig.stage.next('a'), await rig.stage.next('b'), await rig.stage.next('c')]
  await a.write('shared.txt', 'of a\n')
  // Rewritten with the same words: that is no change.
  await c.sh('cp -p src/a.txt keep && cat keep > src/a.txt && rm keep')
  await a.write('src/a.txt', 'other\n')
  await b.write('shared.txt', 'of b\n')
  await b.sh('git add -A && git commit -qm "committed, and seen all the same"')
  const first = await sawOverlap(run)
  assert.deepEqual(first.attempts, [attempt('a'), attempt('b')])
  assert.deepEqual([first.paths, first.count], [['shared.txt'], 1])
  await b.write('src/a.txt', 'third\n')
  await sawOverlap(run, ({ paths }) => paths.includes('src/a.txt'))
  await c.write('last.txt', '')
  await b.write('last.txt', '')
  await sawOverlap(run, ({ attempts: [, { task }] }) => task === 'c')
  const seen = run.all('attempt.overlapped').map(({ attempts: [x, y], paths }) => [x.task, y.task, ...paths].join(' '))
  assert.deepEqual(seen, ['a b shared.txt', 'a b shared.txt src/a.txt', 'b c last.txt'])
  const view = await readRun(await workspaceAt(rig.top))
  assert.ok(view.ok && view.value)
  const known = Object.fromEntries(view.value.tasks.map(({ id, history }) => [id, history[0]?.overlaps]))
  assert.deepEqual(known.c, [{ task: 'b', paths: ['last.txt'], count: 1 }])
  assert.deepEqual(known.a?.[0]?.paths, ['shared.txt', 'src/a.txt'])
  for (const puppet of [a, b, c]) await puppet.exit(1)
  await run.finish()
})

test('agents that commit all the time are never disturbed', async () => {
  await using rig = await Rig.open()
  const commits =
    'for n in 1 2 3 4 5 6 7 8 9 10; do echo $n > $ESPALIER_TASK.txt; git add -A; git commit -qm $n || exit 1; done'
  const run = await rig.start(
    ['a', 'b', 'c'].map((id) => ({ id, run: commits })),
    { compareEveryMs: 1 },
  )
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'landed', c: 'landed' })
  assert.deepEqual(run.all('attempt.overlapped'), [])
  assert.equal(rig.landedFile(outcome, 'b.txt'), '10')
})

test('after a restart only what is new is told', async () => {
  await using rig = await Rig.open()
  const plan = rig.plan([{ id: 'a' }, { id: 'b' }])
  await using engine = new DoomedEngine(rig.top, plan, makeSettings(QUICK))
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  for (const puppet of [a, b]) await puppet.write('shared.txt', puppet.task)
  await sawOverlap(engine)
  await engine.kill()
  const run = await rig.resume()
  for (const puppet of [a, b]) await puppet.write('other.txt', puppet.task)
  await sawOverlap(run, ({ paths }) => paths.includes('other.txt'))
  assert.equal(run.all('attempt.overlapped').length, 2)
  for (const puppet of [a, b]) await puppet.exit(1)
  await run.finish()
})
