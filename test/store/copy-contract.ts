// A store that has something of everything, and what a copy of it has to be.
import assert from 'node:assert/strict'
import { copyStore } from '../../src/store/copy.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { experienceOf, lessonOf } from '../learning/sample.ts'
import { BASE, event, newRun, summary, view } from './contract.ts'

/** Copies it there and back again, and says what is in the last one. */
export async function copyThereAndBack(first: string, second: string, third: string): Promise<void> {
  {
    await using store = await opened(first)
    await fillStore(store)
  }
  const before = await contentOf(first)
  for (const [from, to] of [[first, second] as const, [second, third] as const]) {
    const copied = await copyStore(from, to)
    assert.ok(copied.ok, JSON.stringify(copied))
    assert.equal(copied.value.runs, 2)
    assert.deepEqual(await contentOf(to), before)
  }
  const again = await copyStore(first, third)
  assert.match(JSON.stringify(again), /is not empty/)
  // Numbers that were given once are not given again, and the journal goes on where it was.
  await using store = await opened(third)
  assert.equal(await store.append('r', [event(2)], { run: summary('r', 9), tasks: [] }), 'fenced')
  assert.equal(await store.append('r', [event(3)], { run: summary('r', 9), tasks: [] }), 'written')
  assert.equal(await store.request('r', { type: 'run.cancelled', request: null }), 3)
  const [hold] = (await store.addHolds([{ name: 'ana', glob: 'c', since: 1, until: 99 }], 1, 9)) ?? []
  assert.equal(hold?.id, 3)
}

async function fillStore(store: Store): Promise<void> {
  for (const id of ['s', 'r']) {
    await store.createRun(newRun(id, id === 'r' ? 1 : 2))
    const tasks = [{ ...view('a', 'landed'), landedCommit: BASE, finishedAt: 4 }, view('b', 'ready')]
    await store.append(id, [event(1), event(2)], { run: summary(id, 2), tasks })
    await store.putNote(id, 'plan', { ü: [null, 'a\u0000b'] })
    await store.request(id, { type: 'task.cancelled', task: 'a', request: null })
  }
  await store.addProgress('r', [
    { type: 'attempt.progress', task: 'a', attempt: 1, at: 5, message: 'NUL \u0000 "q" \\ ü 😀' },
  ])
  await store.rememberPassed({ tree: 't', commands: 'c' })
  const file = { file: 'tasks.md', format: 'md', part: null, source: '1.2', says: 'x' }
  await store.putPlanTasks('r', 'espalier/r', [
    { ...file, task: 'a' },
    { ...file, task: 'b', source: '1.1' },
  ])
  await store.learn((known) => ({
    touched: known.set(lessonOf().id, lessonOf()).keys(),
    experiences: [experienceOf()],
    upTo: { run: 'r', seq: 2 },
  }))
  const entry = { suite: 's', at: 1, machine: 'm', tree: 't', verdict: 'passed', durationMs: 1.5 }
  await store.recordEntries([
    { ...entry, run: 'r', id: 'b', key: 'k', tries: [true] },
    { ...entry, run: 'r', id: 'a', key: 'k', tries: [false] },
  ])
  await store.recordFileTimes('m', new Map([['x.test.ts', 12.25]]), 3)
  await store.addHolds(
    [
      { name: 'ana', glob: 'a', since: 1, until: 9 },
      { name: 'ana', glob: 'b', since: 1, until: 9 },
    ],
    1,
    9,
  )
  await store.removeHolds([2])
}

/** All that its readers are given. */
async function contentOf(url: string): Promise<unknown> {
  await using store = await opened(url)
  const runs = (await store.runIds()).map(async (id) => [
    ...[await store.run(id), await store.view(id), await store.events(id), [...(await store.tasks(id))]],
    ...[await store.note(id, 'plan'), await store.requests(id, 0), await store.learnedUpTo(id)],
  ])
  return [
    ...[await Promise.all(runs), await store.runs(), await store.cursor(), await store.entries(0, { atMost: 99 })],
    ...[await store.planFiles(), await store.landedTasks(0), await store.hasPassed({ tree: 't', commands: 'c' })],
    ...[await store.lessons(), await store.experiences(), await store.entryRecords({ atMost: 99 })],
    ...[await store.entryDurations('m'), await store.fileTimes('m'), await store.holds(0)],
  ]
}

async function opened(url: string): Promise<Store> {
  const store = await openStore(url)
  assert.ok(store.ok, JSON.stringify(store))
  return store.value
}
