// What the ledger of every store has to do, whatever database is behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../src/store/store.ts'
import type { TaskView } from '../../src/view.ts'
import { BASE, event, newRun, type StoreRig, summary, view } from './contract.ts'
import { fileTask } from './ledger-sample.ts'

const LANDED: Partial<TaskView> = { status: 'landed', landedCommit: BASE, finishedAt: 30 }

/** A run of `plan.json` with the tasks A and B. */
async function run(store: Store, id: string, createdAt: number): Promise<void> {
  await store.createRun(newRun(id, createdAt))
  await store.putPlanTasks(id, `espalier/${id}`, [fileTask({ source: 'A' }), fileTask({ source: 'B' })])
}

async function stands(store: Store, id: string, seq: number, ...tasks: [string, Partial<TaskView>][]): Promise<void> {
  const views = tasks.map(([task, facts]) => ({ ...view(task, 'running'), ...facts }))
  assert.equal(await store.append(id, [event(seq)], { run: summary(id, seq), tasks: views }), 'written')
}

const FILES = ['plan.json', 'e/41.md']

async function landed(store: Pick<Store, 'landedTasks'>, since = 0): Promise<string[]> {
  return (await store.landedTasks(FILES, since)).map(({ run: id, source }) => `${id} ${source}`)
}

export function ledgerContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: a landed task of a plan file is known from the append of its view on, of the newest run first`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using reader = await rig.open()
    for (const [n, id] of ['r', 's'].entries()) await run(store, id, n)
    await stands(store, 'r', 1, ['task-a', {}], ['task-b', { status: 'failed', finishedAt: 9 }], ['other', LANDED])
    assert.deepEqual(await landed(reader), [])
    await stands(store, 'r', 2, ['task-a', LANDED])
    await stands(store, 's', 1, ['task-b', { ...LANDED, finishedAt: 40 }], ['task-a', { ...LANDED, finishedAt: 41 }])
    assert.deepEqual(await landed(reader), ['s A', 's B', 'r A'])
    assert.deepEqual(await landed(reader, 30), ['s A', 's B'])
    assert.deepEqual(await landed(reader, 40), ['s A'])
    assert.deepEqual(await reader.landedTasks(['other.json']), [])
    const late = { run: summary('r', 9), tasks: [view('task-a', 'failed')] }
    assert.equal(await store.append('r', [event(2)], late), 'fenced')
    assert.deepEqual((await reader.landedTasks(FILES)).at(-1), {
      ...fileTask({ source: 'A' }),
      ...{ run: 'r', runAt: 0, branch: 'espalier/r', commit: BASE },
    })
  })

  test(`${name}: what a file says of a task is replaced, and one that is new stands as its view`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await run(store, 'r', 1)
    await stands(store, 'r', 1, ['task-a', LANDED], ['task-c', LANDED])
    const moved = { ...fileTask({ source: 'A' }), file: 'e/41.md', source: '41', says: '5:new' }
    await store.putPlanTasks('r', 'espalier/r', [moved, fileTask({ source: 'C', part: 'next' })])
    const rows = (await store.landedTasks(FILES)).map(({ file, source, says, part }) => [file, source, says, part])
    assert.deepEqual(rows, [
      ['e/41.md', '41', '5:new', null],
      ['plan.json', 'C', '5:words', 'next'],
    ])
    assert.deepEqual(await store.planFiles(), ['e/41.md', 'plan.json'])
  })

  test(`${name}: of a run that is removed it is known what it has landed, until that is forgotten or its name is given again`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    for (const [n, id] of ['r', 's', 't'].entries()) {
      await run(store, id, n)
      await stands(store, id, 1, ['task-a', LANDED], ['task-b', { status: 'failed', finishedAt: 9 }])
    }
    assert.deepEqual(await store.removedRuns(), [])
    for (const id of ['r', 's']) await store.deleteRun(id)
    assert.deepEqual(await landed(store), ['t A', 's A', 'r A'])
    assert.deepEqual(await store.removedRuns(), [
      { run: 's', branch: 'espalier/s' },
      { run: 'r', branch: 'espalier/r' },
    ])
    await store.forgetPlanTasks(['s'])
    assert.deepEqual(await landed(store), ['t A', 'r A'])
    await store.createRun(newRun('r', 7))
    assert.deepEqual(await landed(store), ['t A'])
  })
}
