import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fact } from '../../src/event.ts'
import { GitFailure } from '../../src/git/run/git.ts'
import { landAgain } from '../../src/landing/land.ts'

const fact: Fact = { type: 'landing.landed', tasks: ['a'], commit: 'a'.repeat(40), onto: 'b'.repeat(40) }
const full = new GitFailure(['commit-tree'], 128, 'fatal: write error: No space left on device')

/** Fails with these, one after the other, then lands. */
function landing(...errors: Error[]) {
  let tries = 0
  const land = async () => {
    const error = errors[tries++]
    if (error) throw error
    return [fact]
  }
  return { land, tries: () => tries }
}

test('a landing that git could not do is tried again', async () => {
  const busy = Object.assign(new Error('spawn git EAGAIN'), { code: 'EAGAIN', errno: -11 })
  const { land, tries } = landing(full, busy)
  assert.deepEqual(await landAgain(land, [0, 0]), { ok: true, facts: [fact] })
  assert.equal(tries(), 3)
})

test('after a few tries it is given up, with the reason', async () => {
  const { land, tries } = landing(full, full, full)
  const given = await landAgain(land, [0, 0])
  assert.ok(!given.ok && given.message.includes('No space left on device'))
  assert.equal(tries(), 3)
})

test('a bug is not tried again', async () => {
  const { land, tries } = landing(new TypeError('x is not a function'))
  await assert.rejects(landAgain(land, [0, 0]), TypeError)
  assert.equal(tries(), 1)
})
