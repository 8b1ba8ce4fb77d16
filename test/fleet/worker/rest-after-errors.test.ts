import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Rest } from '../../../src/fleet/worker/rest-after-errors.ts'

test('a worker that could not do its work offers nothing for a while, longer each time, and offers again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const offers: boolean[] = []
    const said: string[] = []
    const rest: Rest = new Rest(
      async () => void offers.push(rest.isResting),
      (line) => said.push(line),
    )
    await rest.begin('no space left', true)
    await rest.begin('no space left', true)
    assert.deepEqual(offers, [true], 'once, however much fails at once')
    mock.timers.tick(30_000)
    assert.deepEqual(offers, [true, false])
    await rest.begin('no space left', true)
    mock.timers.tick(30_000)
    assert.equal(rest.isResting, true, 'longer than the first time')
    mock.timers.tick(30_000)
    assert.deepEqual(offers, [true, false, true, false])
    rest.worked()
    await rest.begin('no space left', true)
    mock.timers.tick(30_000)
    assert.equal(rest.isResting, false)
    rest.worked()
    await rest.begin('a path too long', false)
    assert.equal(rest.isResting, false, 'that may have been one commit')
    await rest.begin('a path too long', false)
    assert.equal(rest.isResting, true)
    rest.end()
    assert.deepEqual(
      said.slice(0, 3),
      [30, 60, 30].map((s) => `takes nothing more for ${s} s: no space left`),
    )
  } finally {
    mock.timers.reset()
  }
})
