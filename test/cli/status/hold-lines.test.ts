import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdLines, NONE_HELD_BACK } from '../../../src/cli/status/waiting-lines.ts'

const hold = (id: number, until: number) => ({ id, name: 'ana', glob: `src/${id}/**`, since: 0, until })

test('who holds what, and for how much longer; nothing of what is over', () => {
  assert.deepEqual(holdLines(undefined, NONE_HELD_BACK, 0), [])
  assert.deepEqual(holdLines([hold(1, 61_000), hold(2, 1_000)], NONE_HELD_BACK, 1_000), [
    'ana holds src/1/** for 1m 00s',
  ])
})

test('of many the first are named', () => {
  const lines = holdLines(
    [1, 2, 3, 4, 5].map((id) => hold(id, 9_000)),
    NONE_HELD_BACK,
    0,
  )
  assert.deepEqual(lines.slice(2), ['ana holds src/3/** for 9.0s', '… and 2 more: `espalier claims` lists them'])
})

test('who waits for it: the task, or how many', () => {
  const holds = [hold(1, 61_000), hold(2, 61_000), hold(3, 61_000)]
  const ready = new Map([
    ['login', hold(1, 61_000)],
    ['cart', hold(2, 61_000)],
    ['site', hold(2, 61_000)],
  ])
  assert.deepEqual(holdLines(holds, { ready, some: true }, 1_000), [
    "1 task waits for ana's hold on src/1/**, 1m 00s left: login",
    "2 tasks wait for ana's hold on src/2/**, 1m 00s left: cart, site",
    'ana holds src/3/** for 1m 00s',
  ])
})
