// What the feed of every store has to do, whatever database is behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from '../../src/event.ts'
import type { FeedEntry } from '../../src/store/journal-queries.ts'
import type { Store } from '../../src/store/store.ts'
import { event, newRun, type StoreRig, summary } from './contract.ts'

export function feedContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: the feed has the events of all runs in the order they were written, from any cursor on`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using elsewhere = await rig.open()
    assert.equal(await store.cursor(), 0)
    for (const id of ['r', 's']) await store.createRun(newRun(id))
    await append(store, 'r', 1, 2)
    await append(elsewhere, 's', 1)
    await append(store, 'r', 3)
    const all = await take(store.watch(0), 4)
    assert.deepEqual(all.map(named), ['r 1', 'r 2', 's 1', 'r 3'])
    assert.deepEqual(all[2], { cursor: all[2]?.cursor, run: 's', event: event(1) })
    assert.ok(all.every(({ cursor }, n) => n === 0 || cursor > (all[n - 1]?.cursor ?? 0)))
    assert.equal(await elsewhere.cursor(), all.at(-1)?.cursor)
    assert.deepEqual(await take(elsewhere.watch(all[1]?.cursor ?? 0), 2), all.slice(2))
    assert.deepEqual((await take(store.watch(0, { run: 's' }), 1)).map(named), ['s 1'])
    assert.deepEqual(await store.entries(all[0]?.cursor ?? 0, { atMost: 2 }), all.slice(1, 3))
    assert.deepEqual((await store.entries(0, { run: 's', atMost: 9 })).map(named), ['s 1'])
    assert.deepEqual(await store.entries(await store.cursor(), { atMost: 9 }), [])
  })

  test(`${name}: a cursor is never given twice, not even after the newest run is deleted`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    await append(store, 'r', 1, 2)
    const before = await store.cursor()
    await store.deleteRun('r')
    await store.createRun(newRun())
    await append(store, 'r', 1)
    const [first] = await take(store.watch(before), 1)
    assert.ok(first && first.cursor > before && named(first) === 'r 1')
  })

  test(`${name}: progress has its place in the feed, is bounded, and is no part of the journal`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using reader = await rig.open()
    for (const id of ['r', 's']) await store.createRun(newRun(id))
    await append(store, 'r', 1)
    await store.addProgress('r', [said('reads'), said('writes')])
    await append(store, 'r', 2)
    assert.deepEqual((await take(reader.watch(0), 4)).map(named), ['r 1', 'r reads', 'r writes', 'r 2'])
    assert.equal((await store.events('r')).length, 2)
    await store.addProgress('s', [said('other run')])
    for (let n = 0; n < 3; n++)
      await store.addProgress(
        'r',
        Array.from({ length: 500 }, (_, m) => said(`${n * 500 + m}`)),
      )
    const kept = (await take(reader.watch(0), 1_003)).map(named)
    assert.deepEqual(kept.slice(0, 4), ['r 1', 'r 2', 's other run', 'r 500'])
    assert.equal(kept.at(-1), 'r 1499')
  })

  test(`${name}: who watches while another process writes gets each event once, in order`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const writer = rig.startWriter()
    const seen = (await take(store.watch(0), 60)).map(named)
    assert.deepEqual(seen, numbers(1, 60))
    await writer.kill()
  })

  test(`${name}: a writer that is killed leaves no gap, and who writes after it is heard by the same watcher`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const entries = store.watch(0)[Symbol.asyncIterator]()
    const next = async () => named((await entries.next()).value as FeedEntry)
    const writer = rig.startWriter()
    const seen = [await next()]
    await writer.saw(20)
    await writer.kill()
    const last = (await store.events('r')).length
    while (seen.length < last) seen.push(await next())
    await using after = await rig.open()
    await append(after, 'r', last + 1)
    seen.push(await next())
    assert.deepEqual(seen, numbers(1, last + 1))
    await entries.return?.()
  })

  test(`${name}: a watcher that waits ends with its signal`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    const leaving = new AbortController()
    const watching = take(store.watch(0, { signal: leaving.signal }), 1)
    const looking = count(store.changes({ signal: leaving.signal }))
    await new Promise(setImmediate)
    leaving.abort()
    assert.deepEqual(await watching, [])
    assert.equal(await looking, 1)
  })

  test(`${name}: what others write wakes who waits for it, several writes at once as one`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using other = await rig.open()
    await store.createRun(newRun())
    let looks = 0
    for await (const changed of store.changes()) {
      assert.ok(changed)
      looks++
      if ((await store.requests('r', 0)).length > 0) break
      for (let n = 0; n < 100; n++) await other.request('r', { type: 'task.cancelled', task: `${n}`, request: null })
    }
    assert.equal(looks, 2)
  })

  test(`${name}: who asks for it is woken although nobody has written`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    const seen: boolean[] = []
    for await (const changed of store.changes({ atLeastEveryMs: 1 })) if (seen.push(changed) === 3) break
    assert.deepEqual(seen, [true, false, false])
  })
}

async function append(store: Store, run: string, ...seqs: number[]): Promise<void> {
  const written = await store.append(
    run,
    seqs.map((seq) => event(seq)),
    { run: summary(run, 1), tasks: [] },
  )
  assert.equal(written, 'written')
}

function said(message: string): Progress {
  return { type: 'attempt.progress', task: 'a', attempt: 1, at: 7, message }
}

function named({ run, event: one }: FeedEntry): string {
  return one.type === 'attempt.progress' ? `${run} ${one.message}` : `${run} ${one.seq}`
}

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => `r ${from + n}`)
}

/** The first so many, or all where it ends before. */
async function take<T>(entries: AsyncIterable<T>, many: number): Promise<T[]> {
  const taken: T[] = []
  for await (const entry of entries) if (taken.push(entry) === many) break
  return taken
}

async function count(all: AsyncIterable<unknown>): Promise<number> {
  let number = 0
  for await (const _ of all) number++
  return number
}
