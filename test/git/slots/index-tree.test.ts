// The tree that is made of the index is the one that git makes of it.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { gitText } from '../../../src/git/run/git.ts'
import { readIndexFile, writeIndexTree } from '../../../src/git/slots/index-file.ts'
import { inSlot, type Slot } from '../../../src/git/slots/slot.ts'
import { stageAll } from '../../../src/git/slots/stage-worktree.ts'
import { makeRepository, runGit } from '../../rig/repository.ts'
import { lease, openEngine } from '../engine.ts'

/** Names that sort differently as files and as folders, and one that is longer than an entry has room to say. */
const NAMES = ['a', 'a-b', 'a.b', 'a0', 'b', 'ünï', 'new\nline', ' x', '[z]', 'l'.repeat(200)]
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const deed = fc.record({ path, kind: fc.constantFrom('write', 'write', 'program', 'link', 'remove') })

function apply(slot: Slot, { path, kind }: { path: string; kind: string }, n: number): void {
  const file = join(slot.path, path)
  // A file in the way of a folder goes, and the other way round.
  for (let above = dirname(path); above !== '.'; above = dirname(above)) removeFile(join(slot.path, above))
  rmSync(file, { recursive: true, force: true })
  if (kind === 'remove') return
  mkdirSync(dirname(file), { recursive: true })
  if (kind === 'link') symlinkSync(`to ${n}`, file)
  else writeFileSync(file, `text ${n}\n`)
  if (kind === 'program') chmodSync(file, 0o755)
}

function removeFile(path: string): void {
  try {
    rmSync(path)
  } catch {
    // it is a folder, or not there
  }
}

for (const objectFormat of ['sha1', 'sha256'] as const)
  test(`whatever is done in a worktree, its tree is that of git write-tree (${objectFormat})`, async () => {
    const files = { 'a/b/c': '1', 'a/b/d': '2', 'a-b': '3', 'a.b/x': '4', 'b/a': '5', top: '6' }
    await using repository = await makeRepository({ objectFormat, files })
    const engine = await openEngine(repository)
    const { slot } = await lease(engine)
    let steps = 0
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 8 }), async (deeds) => {
        for (const one of deeds) apply(slot, one, ++steps)
        const index = await stageAll(slot)
        assert.ok(index)
        const tree = writeIndexTree(engine, index)
        assert.ok(tree)
        assert.equal(runGit(engine.gitDir, ['cat-file', '-t', tree]), 'tree')
        assert.equal(tree, await gitText(['write-tree'], inSlot(slot)))
        if (steps % 3 === 0) await lease(engine) // from a tree anew: the index knows all folders again
      }),
      { numRuns: 15 },
    )
    assert.equal(runGit(engine.gitDir, ['fsck', '--strict', '--no-dangling']), '')
  })

test('names of more than 4,095 bytes are read as any other', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { slot, path: top } = await lease(engine)
  // Longer than the system takes in one piece.
  const folder = Array.from({ length: 16 }, () => 'x'.repeat(250)).join('/')
  const input = `100644 ${runGit(engine.gitDir, ['rev-parse', `${engine.user.head}:README.md`])}\t${folder}/${'y'.repeat(200)}\n`
  await gitText(['update-index', '--add', '--index-info'], { ...inSlot(slot), input })
  const index = readIndexFile(slot)
  assert.ok(index && top)
  assert.equal(writeIndexTree(engine, index), await gitText(['write-tree'], inSlot(slot)))
})

test('an index that is not merged is left to git, one that knows no folder is made from its files', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { slot } = await lease(engine)
  const blob = runGit(engine.gitDir, ['rev-parse', `${engine.user.head}:README.md`])
  await gitText(['update-index', '--index-info'], { ...inSlot(slot), input: `100644 ${blob} 2\tREADME.md\n` })
  const unmerged = readIndexFile(slot)
  assert.ok(unmerged)
  assert.equal(writeIndexTree(engine, unmerged), null)
  await gitText(['read-tree', '--empty'], inSlot(slot))
  await gitText(['update-index', '--add', '--cacheinfo', `100644,${blob},only`], inSlot(slot))
  const fresh = readIndexFile(slot)
  assert.ok(fresh)
  assert.equal(writeIndexTree(engine, fresh), await gitText(['write-tree'], inSlot(slot)))
})
