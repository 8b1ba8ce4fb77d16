// What every store has to do about who may append.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Leader } from '../../src/store/database.ts'
import type { Store } from '../../src/store/store.ts'
import { event, newRun, type StoreRig, summary } from './contract.ts'

export function leader(pid: number): Leader {
  return { host: 'here', pid, place: '/state', at: pid }
}

export function leadContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: each who takes the lead begins a new epoch, and is known by name`, async () => {
    await using rig = await makeRig()
    const epochs: number[] = []
    for (const pid of [1, 2, 3]) {
      await using store = await rig.open()
      const before = await store.leader()
      assert.equal(before?.pid ?? 0, pid - 1)
      const taken = await store.takeLead(leader(pid))
      assert.ok(taken.ok)
      epochs.push(taken.epoch)
      assert.deepEqual(await store.leader(), leader(pid))
    }
    assert.deepEqual(epochs, [1, 2, 3])
  })

  test(`${name}: who leads appends, and who never took the lead is fenced by numbers alone`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using other = await rig.open()
    await store.createRun(newRun())
    assert.ok((await store.takeLead(leader(1))).ok)
    assert.equal(await append(store, 1), 'written')
    assert.equal(await append(other, 1), 'fenced')
    assert.equal(await append(other, 2), 'written')
    assert.equal(store.fenced.aborted, false)
  })
}

export function append(store: Store, seq: number): Promise<string> {
  return store.append('r', [event(seq)], { run: summary('r', seq), tasks: [] })
}
