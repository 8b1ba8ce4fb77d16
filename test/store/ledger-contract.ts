// What the ledger of every store has to do, whatever database is behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskView } from '../../src/status.ts'
import type { PlanTask, PlanTaskQuery } from '../../src/store/ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { BASE, event, newRun, type StoreRig, summary, view } from './contract.ts'
import { fileTask } from './ledger-sample.ts'

const LANDED: Partial<TaskView> = { status: 'landed', landedCommit: BASE, finishedAt: 30 }

function begun(at: number): Pick<TaskView, 'history'> {
  return { history: [{ attempt: 1, startedAt: at }] as TaskView['history'] }
}

/** A run of `plan.json` with the tasks A and B. */
async function run(store: Store, id: string, createdAt: number): Promise<void> {
  await store.createRun(newRun(id, createdAt))
  await store.putPlanTasks(id, `espalier/${id}`, [fileTask({ source: 'A' }), fileTask({ source: 'B' })])
}

async function stands(store: Store, id: string, seq: number, ...tasks: [string, Partial<TaskView>][]): Promise<void> {
  const views = tasks.map(([task, facts]) => ({ ...view(task, 'running'), ...facts }))
  assert.equal(await store.append(id, [event(seq)], { run: summary(id, seq), tasks: views }), 'written')
}

function told({ run: id, source, status, commit, begunAt, endedAt }: PlanTask): string {
  return [id, source, status, commit?.slice(0, 4) ?? '-', begunAt ?? '-', endedAt ?? '-'].join(' ')
}

export function ledgerContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: a task of a plan file stands in the ledger as its view does, from the same append on`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using reader = await rig.open()
    await run(store, 'r', 1)
    const all = async () => (await reader.planTasks({ run: 'r' })).map(told)
    assert.deepEqual(await all(), ['r A pending - - -', 'r B pending - - -'])
    await stands(store, 'r', 1, ['task-a', begun(10)], ['other', LANDED])
    assert.deepEqual(await all(), ['r A running - 10 -', 'r B pending - - -'])
    await stands(
      store,
      'r',
      2,
      ['task-a', { ...LANDED, ...begun(20) }],
      ['task-b', { status: 'failed', finishedAt: 40 }],
    )
    assert.deepEqual(await all(), ['r A landed aaaa 20 30', 'r B failed - - 40'])
    const late = { run: summary('r', 9), tasks: [view('task-a', 'failed')] }
    assert.equal(await store.append('r', [event(2)], late), 'fenced')
    assert.deepEqual(await all(), ['r A landed aaaa 20 30', 'r B failed - - 40'])
    assert.deepEqual((await reader.planTasks({ run: 'r' }))[0], {
      ...fileTask({ source: 'A' }),
      ...{ run: 'r', runAt: 1, branch: 'espalier/r', status: 'landed', commit: BASE, begunAt: 20, endedAt: 30 },
    })
  })

  test(`${name}: what a file says of a task is replaced, how it stands stays, and one that is new stands as its view`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await run(store, 'r', 1)
    await stands(store, 'r', 1, ['task-a', LANDED], ['task-c', { ...begun(5), status: 'failed', finishedAt: 6 }])
    const renamed = { ...fileTask({ source: 'A' }), file: 'e/41.md', source: '41', says: '5:new', numberless: '5:#' }
    await store.putPlanTasks('r', 'espalier/r', [renamed, fileTask({ source: 'C', part: 'next' })])
    const rows = await store.planTasks({ run: 'r' })
    assert.deepEqual(rows.map(told), ['r 41 landed aaaa - 30', 'r B pending - - -', 'r C failed - 5 6'])
    assert.deepEqual(
      rows.map(({ file, says, numberless, part }) => [file, says, numberless, part]),
      [
        ['e/41.md', '5:new', '5:#', null],
        ['plan.json', '5:words', null, null],
        ['plan.json', '5:words', null, 'next'],
      ],
    )
    assert.deepEqual(await store.planFiles(), ['e/41.md', 'plan.json'])
  })

  test(`${name}: each question about other runs is one query`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await run(store, 'r', 1)
    await run(store, 's', 2)
    await run(store, 't', 3)
    await stands(store, 'r', 1, ['task-a', LANDED], ['task-b', { status: 'failed', finishedAt: 15, ...begun(11) }])
    await stands(store, 's', 1, ['task-b', { ...LANDED, finishedAt: 40, ...begun(35) }])
    await store.createRun(newRun('u', 4))
    const other = fileTask({ source: 'A', format: 'task-master', file: 'tasks.json' })
    await store.putPlanTasks('u', 'espalier/u', [other])
    await stands(store, 'u', 1, ['task-a', { ...LANDED, finishedAt: 50 }])
    const table: [PlanTaskQuery, string[]][] = [
      [{ run: 'nobody' }, []],
      [{ statuses: ['landed'], format: 'implementation-plan' }, ['s B', 'r A']],
      [{ statuses: ['landed'], endedAfter: 30 }, ['u A', 's B']],
      [{ statuses: ['landed'], endedAfter: 30, besides: 'u' }, ['s B']],
      [{ statuses: ['failed', 'blocked'], endedAfter: 14 }, ['r B']],
      [{ statuses: ['failed', 'blocked'], endedAfter: 15 }, []],
      [{ begunAfter: 11, besides: 'r' }, ['s B']],
      [{ besides: 't', statuses: ['pending'] }, ['s A']],
    ]
    for (const [query, found] of table) {
      const rows = await store.planTasks(query)
      assert.deepEqual(
        rows.map(({ run: id, source }) => `${id} ${source}`),
        found,
        JSON.stringify(query),
      )
    }
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
    const known = async () => (await store.planTasks({})).map(({ run: id, source }) => `${id} ${source}`)
    assert.deepEqual(await known(), ['t A', 't B', 's A', 'r A'])
    assert.deepEqual(await store.removedRuns(), [
      { run: 's', branch: 'espalier/s' },
      { run: 'r', branch: 'espalier/r' },
    ])
    await store.forgetPlanTasks(['s'])
    assert.deepEqual(await known(), ['t A', 't B', 'r A'])
    await store.createRun(newRun('r', 7))
    assert.deepEqual(await known(), ['t A', 't B'])
  })
}
