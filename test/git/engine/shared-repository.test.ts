// A repository that two coordinators share: each has its own clone and engine.git, as on two machines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EngineRepository, openEngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { deleteRunRefs } from '../../../src/git/engine/inventory.ts'
import { keepRef, moveRef, readRef } from '../../../src/git/engine/ref-file.ts'
import { runBranch } from '../../../src/git/engine/ref-names.ts'
import { shareRefs } from '../../../src/git/engine/shared-repository.ts'
import { writeCommit } from '../../../src/git/engine/write-object.ts'
import { objectInfo } from '../../../src/git/run/read-objects.ts'
import { treeOf } from '../../../src/git/trees/tree-of.ts'
import { inspect } from '../../../src/git/user/repository.ts'
import { makeRepository, runGit, type TestRepository } from '../../rig/repository.ts'

const REF = runBranch('shop-1')
const message = 'espalier: landing'

test('a ref that one moves is where the other finds it, with all it names', async () => {
  await using t = await twoMachines()
  const commit = await newCommit(t.a, 'one')
  assert.deepEqual(await moveRef(t.a, { ref: REF, to: commit, from: null, message }), { kind: 'moved' })
  assert.equal(runGit(t.shared, ['rev-parse', REF]), commit)
  assert.equal(readRef(t.b, REF), null)
  assert.equal(await shareRefs(t.b), null)
  assert.equal(readRef(t.b, REF), commit)
  assert.equal((await objectInfo(t.b, commit))?.type, 'commit')
})

test('of two who move a branch from the same place one succeeds, and the other learns where it is', async () => {
  await using t = await twoMachines()
  const base = await newCommit(t.a, 'base')
  await moveRef(t.a, { ref: REF, to: base, from: null, message })
  await shareRefs(t.b)
  const [mine, theirs] = [await newCommit(t.a, 'mine', base), await newCommit(t.b, 'theirs', base)]
  const moves = await Promise.all([
    moveRef(t.a, { ref: REF, to: mine, from: base, message }),
    moveRef(t.b, { ref: REF, to: theirs, from: base, message }),
  ])
  assert.deepEqual(moves.map(({ kind }) => kind).sort(), ['elsewhere', 'moved'])
  const winner = runGit(t.shared, ['rev-parse', REF])
  assert.deepEqual([readRef(t.a, REF), readRef(t.b, REF)], [winner, winner])
  assert.deepEqual(
    moves.find(({ kind }) => kind === 'elsewhere'),
    { kind: 'elsewhere', actual: winner },
  )
})

test('a move that arrived there and was not recorded here is found, and done again without harm', async () => {
  await using t = await twoMachines()
  const one = await newCommit(t.a, 'one')
  const two = await newCommit(t.a, 'two', one)
  await moveRef(t.a, { ref: REF, to: one, from: null, message })
  // Killed between the two: the shared one is ahead.
  await moveRef({ ...t.a, shared: null }, { ref: REF, to: two, from: one, message })
  runGit(t.a.gitDir, ['push', '-q', t.shared, REF])
  runGit(t.a.gitDir, ['update-ref', REF, one])
  assert.deepEqual(await moveRef(t.a, { ref: REF, to: two, from: one, message }), { kind: 'moved' })
  assert.deepEqual([readRef(t.a, REF), runGit(t.shared, ['rev-parse', REF])], [two, two])
})

test('kept work is there for the next one, and what is removed is removed there', async () => {
  await using t = await twoMachines()
  const [old, now] = [await newCommit(t.a, 'old'), await newCommit(t.a, 'now')]
  const ref = 'refs/espalier/runs/shop-1/api/1'
  for (const to of [old, now]) await keepRef(t.a, { ref, to, message })
  await shareRefs(t.b)
  assert.equal(readRef(t.b, ref), now)
  assert.equal(await deleteRunRefs(t.b, 'shop-1'), 1)
  assert.equal(runGit(t.shared, ['for-each-ref']), '')
})

test('a shared repository that cannot be reached is named, without its password', async () => {
  await using t = await twoMachines()
  const trouble = await shareRefs({ ...t.a, shared: `${t.shared}/HEAD` })
  assert.match(trouble ?? '', /engine repository .* cannot be used .*name a bare repository/)
  const remote = await shareRefs({ ...t.a, shared: 'https://me:geheim22@127.0.0.1:1/x.git' })
  assert.match(remote ?? '', /https:\/\/me@127\.0\.0\.1:1\/x\.git/)
  assert.doesNotMatch(remote ?? '', /geheim22/)
})

async function twoMachines() {
  const repository = await makeRepository()
  const shared = repository.at('shared.git')
  runGit(repository.path, ['clone', '-q', repository.top, 'clone'])
  const a = await engineOf(repository.top, repository.at('a'), shared)
  const b = await engineOf(repository.at('clone'), repository.at('b'), shared)
  for (const engine of [a, b]) assert.equal(await shareRefs(engine), null)
  return { a, b, shared, [Symbol.asyncDispose]: () => (repository as TestRepository)[Symbol.asyncDispose]() }
}

async function engineOf(top: string, state: string, shared: string): Promise<EngineRepository> {
  const user = await inspect(top)
  assert.ok(user.ok)
  return openEngineRepository(state, user.value, shared)
}

async function newCommit(engine: EngineRepository, text: string, ...parents: string[]): Promise<string> {
  return writeCommit(engine, { tree: await treeOf(engine, engine.user.head), parents, message: text })
}
