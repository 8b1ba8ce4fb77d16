import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubled, type PauseAfter, retry } from '../../src/async/retry.ts'

const busy = new Error('busy')
const twice: PauseAfter = (error, tries) => (error === busy && tries < 2 ? 0 : null)

/** Fails with these, one after the other, then succeeds. */
function failing(...errors: Error[]) {
  const lasts: boolean[] = []
  const work = async (tries: number, isLast: boolean) => {
    lasts.push(isLast)
    const error = errors[tries]
    if (error) throw error
    return tries
  }
  return { work, lasts }
}

test('what passes is tried again', async () => {
  assert.equal(await retry(failing(busy, busy).work, twice), 2)
})

test('after as many tries as are allowed the error stands', async () => {
  const { work, lasts } = failing(busy, busy, busy)
  await assert.rejects(retry(work, twice), busy)
  assert.equal(lasts.length, 3)
})

test('a bug is not tried again', async () => {
  const { work, lasts } = failing(new TypeError('x is not a function'))
  await assert.rejects(retry(work, twice), TypeError)
  assert.equal(lasts.length, 1)
})

test('a last try is told that it is the last, and its error stands', async () => {
  const { work, lasts } = failing(busy, busy)
  await assert.rejects(
    retry(work, () => 'last-start'),
    busy,
  )
  assert.deepEqual(lasts, [false, true])
})

test('nobody waits any more: the error stands, also during a pause', async () => {
  const over = new AbortController()
  const { work, lasts } = failing(busy, busy)
  const pause: PauseAfter = () => {
    setImmediate(() => over.abort())
    return 60_000
  }
  await assert.rejects(retry(work, pause, over.signal), busy)
  await assert.rejects(retry(work, twice, over.signal), busy)
  assert.equal(lasts.length, 2)
})

test('pauses double up to the most', () => {
  const pauses = [0, 1, 2, 9].map((tries) => doubled(tries, { first: 100, most: 1_000 }))
  assert.deepEqual(pauses, [100, 200, 400, 1_000])
})
