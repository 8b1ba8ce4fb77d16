import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptWork } from '../../src/facts/kept-refs.ts'
import { Publisher } from '../../src/landing/publisher.ts'

function recorder(
  head: (commit: string) => Promise<string | null> = async () => null,
  work: () => Promise<string | null> = async () => null,
) {
  const heads: string[] = []
  const failed: KeptWork[] = []
  const publisher = new Publisher({
    head: (commit) => {
      heads.push(commit)
      return head(commit)
    },
    work: (one) => {
      failed.push(one)
      return work()
    },
  })
  return { heads, failed, publisher }
}

test('a burst of landings is one publication, of the newest', async () => {
  const { heads, publisher } = recorder()
  for (const commit of ['1', '2', '3', '4']) {
    publisher.moved(commit)
    await new Promise(setImmediate)
  }
  await publisher.settled()
  assert.deepEqual(heads, ['4'])
})

test('a landing at any moment of the publication before it is published', async () => {
  for (let moments = 0; moments < 12; moments++) {
    const { heads, publisher } = recorder()
    publisher.moved('first')
    const first = publisher.settled()
    for (let moment = 0; moment < moments; moment++) await null
    publisher.moved('second')
    await first
    await publisher.settled()
    assert.equal(heads.at(-1), 'second', `after ${moments} turns`)
  }
})

test('all work that is not on the branch is published', async () => {
  const { failed, publisher } = recorder()
  const work = ['a', 'b', 'c'].map((task) => ({ task, attempt: 1, commit: 'y', kind: 'failed' as const }))
  for (const one of work) publisher.keep(one)
  await publisher.settled()
  assert.deepEqual(failed, work)
})

test('what could not be published is said, until it could', async () => {
  const { publisher } = recorder(async (commit) => (commit === 'ok' ? null : `cannot move to ${commit}`))
  publisher.moved('bad')
  await publisher.settled()
  assert.equal(publisher.trouble, 'cannot move to bad')
  publisher.moved('ok')
  await publisher.settled()
  assert.equal(publisher.trouble, null)
})

test('work that could not be published is said, also when the branch is published after it', async () => {
  const { publisher } = recorder(undefined, async () => 'cannot keep a')
  publisher.keep({ task: 'a', attempt: 1, commit: 'y', kind: 'failed' })
  await publisher.settled()
  publisher.moved('ok')
  await publisher.settled()
  assert.equal(publisher.trouble, 'cannot keep a')
})

test('a publication that throws is a message, not the end of the run', async () => {
  const { publisher } = recorder(() => Promise.reject(new Error('spawn git EAGAIN')))
  publisher.moved('1')
  await publisher.settled()
  assert.match(publisher.trouble ?? '', /spawn git EAGAIN/)
})

test('abandoned, it brings nothing more', async () => {
  const { heads, failed, publisher } = recorder()
  publisher.moved('1')
  publisher.keep({ task: 'a', attempt: 1, commit: 'y', kind: 'failed' })
  publisher.abandon()
  await publisher.settled()
  await publisher[Symbol.asyncDispose]()
  assert.deepEqual([heads, failed], [[], []])
})

test('closed, it brings the newest head, leaves the rest, and nothing goes on', async () => {
  const { promise: first, resolve } = Promise.withResolvers<null>()
  const { heads, failed, publisher } = recorder((commit) => (commit === '1' ? first : Promise.resolve(null)))
  publisher.moved('1')
  void publisher.settled() // no rest: it is under way now
  await new Promise(setImmediate)
  publisher.moved('2')
  publisher.keep({ task: 'a', attempt: 1, commit: 'y', kind: 'failed' })
  let closed = false
  const closing = publisher[Symbol.asyncDispose]().then(() => {
    closed = true
  })
  await new Promise(setImmediate)
  assert.equal(closed, false, 'it waits for what is under way')
  resolve(null)
  await closing
  publisher.moved('3')
  await new Promise(setImmediate)
  assert.deepEqual([heads, failed], [['1', '2'], []])
})
