// Refs are moved as git moves them: side by side with git itself, on the same files.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { keepRef, type Move, moveRef, readRef } from '../../../src/git/engine/ref-file.ts'
import { writeCommit } from '../../../src/git/engine/write-object.ts'
import { GitFailure, git } from '../../../src/git/run/git.ts'
import { isDiskTrouble } from '../../../src/git/run/machine-trouble.ts'
import { treeOf } from '../../../src/git/trees/tree-of.ts'
import { noSmallDisk, SmallDisk } from '../../rig/full-disk.ts'
import { makeRepository, runGit } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { openEngine } from '../engine.ts'

/** A branch, because other refs have no reflog. */
const REF = 'refs/heads/espalier/run'
const message = 'a word'

async function opened() {
  const repository = await makeRepository()
  const engine = await openEngine(repository)
  const tree = await treeOf(engine, engine.user.head)
  const commits = ['one', 'two', 'three'].map((text) => writeCommit(engine, { tree, parents: [], message: text }))
  const [one, two, three] = commits as [string, string, string]
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  return { engine, one, two, three, inEngine, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

test('what is moved here, git sees, and the other way round, also where refs were packed', async () => {
  await using t = await opened()
  assert.equal(readRef(t.engine, REF), null)
  assert.deepEqual(await moveRef(t.engine, { ref: REF, to: t.one, from: null, message }), { kind: 'moved' })
  assert.equal(t.inEngine('rev-parse', REF), t.one)
  t.inEngine('update-ref', REF, t.two, t.one)
  assert.equal(readRef(t.engine, REF), t.two)
  t.inEngine('pack-refs', '--all')
  assert.equal(existsSync(join(t.engine.gitDir, REF)), false)
  assert.equal(readRef(t.engine, REF), t.two)
  assert.equal(readRef(t.engine, 'refs/espalier/runs/run/task/11'), null)
  assert.deepEqual(await moveRef(t.engine, { ref: REF, to: t.three, from: t.one, message }), {
    kind: 'elsewhere',
    actual: t.two,
  })
  assert.deepEqual(await moveRef(t.engine, { ref: REF, to: t.three, from: t.two, message }), { kind: 'moved' })
  t.inEngine('update-ref', REF, t.one, t.three)
  const log = t.inEngine('reflog', 'show', '--format=%H %gs %gn', REF).split('\n')
  assert.deepEqual(log.reverse(), [
    `${t.one} a word Test Person`,
    `${t.two}  Agent`,
    `${t.three} a word Test Person`,
    `${t.one}  Agent`,
  ])
  await keepRef(t.engine, { ref: 'refs/espalier/runs/run/task/1', to: t.one, message })
  assert.equal(existsSync(join(t.engine.gitDir, 'logs/refs/espalier')), false)
  assert.equal(t.inEngine('fsck', '--no-dangling'), '')
})

test('of many who move a ref at once, with git among them, each wins from where it was', async () => {
  await using t = await opened()
  await keepRef(t.engine, { ref: REF, to: t.one, message })
  const tree = await treeOf(t.engine, t.one)
  const commits = Array.from({ length: 24 }, (_, n) => writeCommit(t.engine, { tree, parents: [], message: `${n}` }))
  let from = t.one
  for (let round = 0; round < 6; round++) {
    const rivals = commits.slice(round * 4, round * 4 + 4)
    const ours = rivals.slice(0, 2).map((to) => moveRef(t.engine, { ref: REF, to, from, message }))
    const gits = rivals.slice(2).map(async (to): Promise<Move> => {
      const { code } = await git(['update-ref', REF, to, from], {
        gitDir: t.engine.gitDir,
        env: { GIT_COMMITTER_NAME: 'git', GIT_COMMITTER_EMAIL: 'git@localhost' },
        okCodes: [0, 1, 128],
      })
      return code === 0 ? { kind: 'moved' } : { kind: 'elsewhere', actual: null }
    })
    const moves = await Promise.all([...ours, ...gits])
    const winners = rivals.filter((_, n) => moves[n]?.kind === 'moved')
    assert.equal(winners.length, 1, JSON.stringify(moves))
    assert.equal(readRef(t.engine, REF), winners[0])
    from = winners[0] as string
  }
  const log = (await readFile(join(t.engine.gitDir, 'logs', REF), 'utf8')).trimEnd().split('\n')
  assert.deepEqual(log.length, 7)
  for (const [n, line] of log.entries())
    assert.equal(line.slice(0, 40), n === 0 ? '0'.repeat(40) : log[n - 1]?.slice(41, 81))
})

test('a lock of another process is waited for, and the ref moves when it is gone', async () => {
  await using t = await opened()
  await keepRef(t.engine, { ref: REF, to: t.one, message })
  const lock = join(t.engine.gitDir, `${REF}.lock`)
  await writeFile(lock, '')
  const move = { ref: REF, to: t.two, from: t.one, message }
  assert.equal((await moveRef(t.engine, { ...move, patienceMs: 50 })).kind, 'locked')
  assert.ok(existsSync(lock), 'it is not ours to remove')
  const waiting = moveRef(t.engine, move)
  assert.equal(readRef(t.engine, REF), t.one)
  await rm(lock)
  assert.deepEqual(await waiting, { kind: 'moved' })
  assert.equal(existsSync(lock), false)
})

test('what is no commit gets no ref, and what cannot be written leaves everything as it was', async () => {
  await using t = await opened()
  await keepRef(t.engine, { ref: REF, to: t.one, message })
  const tree = await treeOf(t.engine, t.one)
  for (const to of [tree, '1'.repeat(40)])
    await assert.rejects(moveRef(t.engine, { ref: REF, to, message }), /there is no such commit/)
  for (const ref of ['HEAD', 'refs/../config', 'refs/a/', 'refs/a b', 'refs/.a', '/refs/a'])
    assert.throws(() => readRef(t.engine, ref), /not a ref of the engine/)
  await rm(join(t.engine.gitDir, 'logs', REF))
  await mkdir(join(t.engine.gitDir, 'logs', REF))
  await assert.rejects(moveRef(t.engine, { ref: REF, to: t.two, message }), GitFailure)
  assert.equal(readRef(t.engine, REF), t.one)
  assert.equal(existsSync(join(t.engine.gitDir, `${REF}.lock`)), false)
})

test('a full disk is told as such, and leaves neither half an object nor a lock', { skip: noSmallDisk }, async () => {
  await using repository = await makeRepository()
  using disk = new SmallDisk(repository.state)
  const { user } = await openEngine(repository)
  const engine = await openEngineRepository(repository.state, user)
  const tree = await treeOf(engine, user.head)
  const commit = writeCommit(engine, { tree, parents: [], message: 'one' })
  await keepRef(engine, { ref: REF, to: commit, message })
  disk.fill()
  assert.throws(() => writeCommit(engine, { tree, parents: [], message: 'two' }), isDiskTrouble)
  await assert.rejects(moveRef(engine, { ref: REF, to: user.head, message }), isDiskTrouble)
  assert.equal(readRef(engine, REF), commit)
  assert.doesNotMatch(runGit(engine.gitDir, ['count-objects', '-v']), /garbage: [1-9]/)
  disk.free()
  await until('room', async () => (await moveRef(engine, { ref: REF, to: user.head, message })).kind === 'moved')
})
