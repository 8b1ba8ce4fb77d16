// What every store has to know of suites, whatever database is behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryRecord } from '../../src/store/suite-history.ts'
import { newRun, type StoreRig } from './contract.ts'

function record(run: string, at: number, more: Partial<EntryRecord> = {}): EntryRecord {
  const where = { run, id: 'a', suite: 's', key: 'a', at, machine: 'here', tree: 't' }
  return { ...where, verdict: 'passed', tries: [true], durationMs: 1000, ...more }
}

export function suiteContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: results of entries are kept once for each run, by age, and outlive it`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun('r1', 1))
    await store.recordEntries([record('r1', 10), record('r1', 11, { id: 'b', key: 'b' })])
    await store.recordEntries([record('r1', 10), record('r2', 20, { verdict: 'failed', tries: [false, false] })])
    await store.deleteRun('r1')
    const all = await store.entryRecords({ key: 'a', atMost: 10 })
    assert.deepEqual(
      all.map(({ run, verdict }) => [run, verdict]),
      [
        ['r1', 'passed'],
        ['r2', 'failed'],
      ],
    )
    assert.deepEqual(await store.entryRecords({ key: 'a', atMost: 1 }), all.slice(1))
    assert.equal((await store.entryRecords({ atMost: 10 })).length, 3)
  })

  test(`${name}: what an entry takes is the median of what passed here, else elsewhere`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    const elsewhere = record('r0', 5, { key: 'b', id: 'b', machine: 'there', durationMs: 9 })
    const some = [100, 300, 200].map((durationMs, n) => record(`r${n}`, n, { durationMs }))
    const failed = record('r9', 9, { verdict: 'failed', tries: [false], durationMs: 1 })
    await store.recordEntries([...some, failed, elsewhere, record('r8', 8, { machine: 'there', durationMs: 7 })])
    assert.deepEqual(Object.fromEntries(await store.entryDurations('here')), { a: 200, b: 9 })
  })

  test(`${name}: what test files take is measured by machine, old and new times weighing the same`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.recordFileTimes('here', new Map([['x', 100]]), 1)
    await store.recordFileTimes('here', new Map([['x', 300]]), 2)
    await store.recordFileTimes('there', new Map([['x', 5]]), 3)
    assert.deepEqual(Object.fromEntries(await store.fileTimes('here')), { x: 200 })
  })
}
