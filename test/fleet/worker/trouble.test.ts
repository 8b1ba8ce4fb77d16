import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { retry } from '../../../src/async/retry.ts'
import { untilThereIsRoom } from '../../../src/fleet/worker/trouble.ts'

const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
const options = { isWorth: () => true, over: new AbortController().signal, waits: () => {} }

function tried<T>(work: () => Promise<T>, { over, ...disk }: typeof options): Promise<T> {
  return retry(work, untilThereIsRoom(disk), over)
}

test('what is done waits for room, about as long as it took', async () => {
  let tries = 0
  const kept = await tried(async () => {
    if (tries++ > 0) return 'kept'
    await wait(200)
    throw full
  }, options)
  assert.deepEqual([kept, tries], ['kept', 2])
})

test('what took no time, is nothing yet, is told to stop or has another trouble does not wait', async () => {
  const stopped = AbortSignal.abort()
  const other = new Error('something else')
  const cases: [Partial<typeof options>, Error, number][] = [
    [{ isWorth: () => false }, full, 50],
    [{ over: stopped }, full, 50],
    [{}, other, 50],
  ]
  for (const [changed, error, ms] of cases) {
    let tries = 0
    const work = async () => {
      tries++
      await wait(ms)
      throw error
    }
    await assert.rejects(tried(work, { ...options, ...changed }), error)
    assert.equal(tries, 1)
  }
})
