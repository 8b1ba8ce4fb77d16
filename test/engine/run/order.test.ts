// When tasks start: needs, claims, slots, priorities, epics, waves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig, type Started } from '../../rig/rig.ts'

test('a task starts after its needs have landed, and finds their work', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'b', needs: ['a'], run: 'cat a.txt > b.txt' },
    { id: 'a', run: 'echo from-a > a.txt' },
  ])
  assert.equal(run.outcome.status, 'completed')
  assert.equal(rig.landedFile(run.outcome, 'b.txt'), 'from-a')
  const [landed] = run.all('landing.landed')
  const started = run.all('attempt.started').find((event) => event.task === 'b')
  assert.equal(started?.base, landed?.commit)
})

test('independent tasks work at the same time', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  assert.deepEqual([a.alive, b.alive], [true, true])
  assert.notEqual(a.hello.cwd, b.hello.cwd)
  await a.deliver('a.txt')
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.counts.landed, 2)
  assert.deepEqual([rig.landedFile(outcome, 'a.txt'), rig.landedFile(outcome, 'b.txt')], ['a', 'b'])
})

test('tasks whose claims conflict work one after the other', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'a', claims: { write: ['src/**'], read: [] } },
    { id: 'b', claims: { write: ['src/b.txt'], read: [] } },
    { id: 'c', claims: { write: ['docs/**'], read: [] } },
  ])
  const a = await rig.stage.next('a')
  const c = await rig.stage.next('c')
  assert.deepEqual(run.statuses(), { a: 'running', b: 'ready', c: 'running' })
  await c.deliver('docs/c.txt')
  await run.saw('landing.landed')
  assert.equal(run.statuses().b, 'ready')
  await a.deliver('src/a.txt', 'changed\n')
  const b = await rig.stage.next('b')
  assert.equal(await b.sh('cat src/a.txt'), 'changed')
  await b.deliver('src/b.txt', 'changed too\n')
  assert.equal((await run.finish()).outcome.counts.landed, 3)
})

test('never more run at once than there are slots, and none stays idle', async () => {
  await using rig = await Rig.open()
  const ids = ['a', 'b', 'c', 'd', 'e']
  const run = await rig.run(
    ids.map((id) => ({ id, run: `echo ${id} > ${id}.txt` })),
    { maxConcurrency: 2 },
  )
  assert.equal(run.outcome.counts.landed, 5)
  assert.equal(mostAtOnce(run), 2)
})

test('what has the higher priority goes first', async () => {
  await using rig = await Rig.open()
  const run = await rig.run(
    [
      { id: 'low', run: 'true', priority: -1 },
      { id: 'middle', run: 'true' },
      { id: 'high', run: 'true', priority: 5 },
    ],
    { maxConcurrency: 1 },
  )
  assert.deepEqual(startOrder(run), ['high', 'middle', 'low'])
})

test('an epic at its cap lets another epic go first, and uses the slot when there is none', async () => {
  await using rig = await Rig.open()
  const run = await rig.start(
    [
      { id: 'a1', epic: 'a' },
      { id: 'a2', epic: 'a' },
      { id: 'b1', epic: 'b' },
    ],
    { maxConcurrency: 2, maxPerEpic: 1 },
  )
  const [a1, b1] = [await rig.stage.next('a1'), await rig.stage.next('b1')]
  assert.equal(run.statuses().a2, 'ready')
  await b1.deliver('b1.txt')
  const a2 = await rig.stage.next('a2')
  assert.ok(a1.alive)
  await a1.deliver('a1.txt')
  await a2.deliver('a2.txt')
  assert.equal((await run.finish()).outcome.counts.landed, 3)
})

test('in waves nothing of the second starts before the first is at rest', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'a2', needs: ['a'] }], { schedule: 'waves' })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('a.txt')
  await run.saw('landing.landed')
  assert.equal(run.statuses().a2, 'pending')
  await b.exit(3)
  await (await rig.stage.next('a2')).deliver('a2.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'failed', a2: 'landed' })
  assert.deepEqual(
    outcome.batches.map(({ tasks, completed, failed, failures, costUsd, isOver }) => {
      return { tasks, completed, failed, failures: failures.map(({ task }) => task), costUsd, isOver }
    }),
    [
      { tasks: ['a', 'b'], completed: 1, failed: 1, failures: ['b'], costUsd: 0, isOver: true },
      { tasks: ['a2'], completed: 1, failed: 0, failures: [], costUsd: 0, isOver: true },
    ],
  )
  assert.deepEqual([outcome.totalBatches, outcome.completedBatches], [2, 2])
})

test('a batch counts as failed all that it lists as failures: also what was blocked', async () => {
  await using rig = await Rig.open()
  const { outcome } = await rig.run([
    { id: 'a', run: 'exit 1' },
    { id: 'b', needs: ['a'] },
  ])
  assert.deepEqual(
    outcome.batches.map(({ failed, failures }) => [failed, failures.map(({ task }) => task)]),
    [
      [1, ['a']],
      [1, ['b']],
    ],
  )
})

test('`after` waits for the end of a task, however it ended', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'b', after: ['a'], run: 'true' },
    { id: 'a', run: 'exit 1' },
  ])
  assert.deepEqual(run.statuses(), { b: 'passed', a: 'failed' })
  assert.deepEqual(startOrder(run), ['a', 'b'])
})

test('the same plan lands the same tree whatever the number of slots', async () => {
  await using rig = await Rig.open()
  const needs: Record<number, number[]> = { 3: [0], 4: [0, 1], 7: [3, 4], 8: [2], 10: [7], 11: [8, 9] }
  const tasks = Array.from({ length: 12 }, (_, n) => ({
    id: `t${n}`,
    needs: (needs[n] ?? []).map((need) => `t${need}`),
    run: `cat ${['README.md', ...(needs[n] ?? []).map((need) => `t${need}.txt`)].join(' ')} > t${n}.txt; echo ${n} >> t${n}.txt`,
  }))
  const trees = []
  for (const maxConcurrency of [1, 6]) {
    const { outcome } = await rig.run(tasks, { maxConcurrency })
    assert.equal(outcome.counts.landed, 12)
    trees.push(rig.git('rev-parse', `${outcome.branch}^{tree}`))
  }
  assert.equal(trees[0], trees[1])
})

function startOrder(run: Started): string[] {
  return run.all('attempt.started').map((event) => event.task)
}

function mostAtOnce(run: Started): number {
  let now = 0
  let most = 0
  for (const event of run.events) {
    if (event.type === 'attempt.started') most = Math.max(most, ++now)
    if (event.type === 'attempt.finished') now--
  }
  return most
}
