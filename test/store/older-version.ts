// A store that the first version of its tables has made: version-1/ has what was in it then, in the SQL of each database.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Store } from '../../src/store/store.ts'
import { event, summary, view } from './contract.ts'

export function olderStore(database: 'sqlite' | 'postgres'): Promise<string> {
  return readFile(new URL(`version-1/${database}.sql`, import.meta.url), 'utf8')
}

export async function readsOlderStore(store: Store): Promise<void> {
  assert.deepEqual(
    (await store.runs()).map(({ run, status }) => `${run} ${status}`),
    ['s running', 'r running'],
  )
  assert.equal((await store.run('r'))?.plan.tasks[0]?.id, 'a')
  assert.deepEqual(await store.events('r'), [event(1), event(2)])
  const tasks = [...(await store.tasks('r')).values()].map(({ id, status }) => `${id} ${status}`)
  assert.deepEqual(tasks, ['a landed', 'b ready'])
  const feed = await store.entries(0, { atMost: 99 })
  assert.deepEqual(
    feed.map(({ cursor, run }) => `${cursor} ${run}`),
    ['1 s', '2 s', '3 r', '4 r', '5 r'],
  )
  const last = feed.at(-1)?.event
  assert.equal(last?.type === 'attempt.progress' && last.message, 'NUL \u0000 "q" \\ ü 😀')
  assert.deepEqual(await store.note('r', 'plan'), { ü: [null, 'a\u0000b'] })
  const request = { type: 'task.cancelled', task: 'a', request: 2 }
  assert.deepEqual(await store.requests('r', 0), [{ id: 2, fact: request }])
  assert.deepEqual(
    (await store.lessons()).map(({ text }) => text),
    ['Mind the gap.'],
  )
  assert.deepEqual(
    (await store.experiences()).map(({ run, task }) => `${run} ${task}`),
    ['r1 a'],
  )
  assert.equal(await store.learnedUpTo('r'), 2)
  assert.equal(await store.hasPassed({ tree: 't', commands: 'c' }), true)
  assert.deepEqual(
    (await store.entryRecords({ atMost: 9 })).map(({ id, tries }) => [id, tries]),
    [
      ['b', [true]],
      ['a', [false]],
    ],
  )
  assert.deepEqual(await store.fileTimes('m'), new Map([['x.test.ts', 12.25]]))
  assert.deepEqual(
    (await store.holds(1)).map(({ id, glob }) => `${id} ${glob}`),
    ['1 a'],
  )
  assert.deepEqual(await store.planFiles(), ['tasks.md'])
}

/** As if the same version had gone on: no number is given twice. */
export async function continuesOlderStore(store: Store): Promise<void> {
  const changes = { run: summary('r', 3), tasks: [{ ...view('b', 'landed'), landedCommit: 'c', finishedAt: 9 }] }
  assert.equal(await store.damaged(), 0, 'lessons of kinds that are not learned any more are gone')
  assert.equal(await store.append('r', [event(2)], changes), 'fenced')
  assert.equal(await store.append('r', [event(3)], changes), 'written')
  assert.equal(await store.cursor(), 6)
  assert.deepEqual(
    (await store.landedTasks(['tasks.md'])).map(({ source }) => source),
    ['1.1'],
  )
  assert.equal(await store.request('s', { type: 'run.cancelled', request: null }), 3)
  assert.deepEqual(
    (await store.addHolds([{ name: 'ana', glob: 'c', since: 1, until: 9 }], 1, 9))?.map(({ id }) => id),
    [3],
  )
  assert.ok((await store.takeLead({ host: 'h', pid: 1, place: '/state', at: 1 })).ok)
}
