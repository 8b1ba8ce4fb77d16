import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  branchesOfRuns,
  hasChangesOf,
  hasContentOf,
  missingIn,
  tasksCopiedTo,
} from '../../../src/git/trees/contained-work.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { openEngine } from '../engine.ts'

const TRAILERS = (task: string) => `Espalier-Run: shop-1\nEspalier-Task: ${task}\nEspalier-Attempt: 1`

/** A branch of a run with two commits, `a` and `b`, and `main`, which has gone on without them. */
async function withRun(repository: TestRepository): Promise<{ a: string; b: string }> {
  repository.git('switch', '-q', '-c', 'espalier/shop-1')
  await repository.write('a.txt', 'a\n')
  const a = repository.commit(`Do a\n\n${TRAILERS('a')}`)
  await repository.write('b.txt', 'b\n')
  const b = repository.commit(`Do b\n\n${TRAILERS('b')}`)
  repository.git('switch', '-q', 'main')
  await repository.write('README.md', 'read this\n')
  repository.commit('others')
  return { a, b }
}

test('what a commit builds on is in it; what is nowhere any more is not missed', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { a, b } = await withRun(repository)
  const [main, gone] = [repository.git('rev-parse', 'main'), '1'.repeat(40)]
  assert.deepEqual(await missingIn(engine, main, [a, gone, b]), new Set([a, b]))
  assert.deepEqual(await missingIn(engine, a, [a, b, main]), new Set([b, main]))
  assert.deepEqual(await missingIn(engine, b, [a, b]), new Set())
  assert.deepEqual(await missingIn(engine, b, []), new Set())
  assert.deepEqual(await branchesOfRuns(engine), new Map([['espalier/shop-1', b]]))
})

test('a squash or a rebase is found by its content, and also after other changes of the same files', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { b } = await withRun(repository)
  const look = async () => {
    const main = repository.git('rev-parse', 'main')
    return [await hasContentOf(engine, main, b), await hasChangesOf(engine, main, b)]
  }
  assert.deepEqual(await look(), [false, false])
  repository.git('merge', '-q', '--squash', 'espalier/shop-1')
  repository.commit('all at once')
  assert.deepEqual(await look(), [true, true])
  await repository.write('a.txt', 'another\n')
  repository.commit('later')
  assert.deepEqual(await look(), [false, true])
  repository.git('reset', '-q', '--hard', 'HEAD~2')
  repository.git('cherry-pick', 'espalier/shop-1^')
  assert.deepEqual(await look(), [false, false], 'one of two')
  repository.git('cherry-pick', 'espalier/shop-1')
  await repository.write('b.txt', 'another\n')
  repository.commit('later')
  assert.deepEqual(await look(), [false, true])
  repository.git('switch', '-q', '--orphan', 'strange')
  await repository.write('x.txt', 'x\n')
  const strange = repository.commit('nothing in common')
  assert.deepEqual([await hasContentOf(engine, strange, b), await hasChangesOf(engine, strange, b)], [false, false])
})

test('tasks that were picked or squashed are known by what the commits say of themselves', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { a, b } = await withRun(repository)
  const copied = async () => await tasksCopiedTo(engine, repository.git('rev-parse', 'HEAD'), b)
  assert.deepEqual(await copied(), [])
  repository.git('cherry-pick', a)
  assert.deepEqual(await copied(), [{ run: 'shop-1', task: 'a' }])
  repository.git('reset', '-q', '--hard', 'HEAD^')
  repository.git('merge', '-q', '--squash', 'espalier/shop-1')
  repository.git('commit', '-q', '--no-edit')
  assert.deepEqual(
    (await copied()).map(({ task }) => task),
    ['b', 'a'],
  )
  repository.git('switch', '-q', 'espalier/shop-1')
  assert.deepEqual(await copied(), [], 'those on the branch are no copies')
})
