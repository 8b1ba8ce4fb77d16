import assert from 'node:assert/strict'
import { chmod, copyFile, rename, rm, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasUnchangedFiles, readIndexFile } from '../../../src/git/slots/index-file.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { counted } from '../counted.ts'
import { lease, openEngine, take } from '../engine.ts'

/** As if the index had been written a while after the files: then their times say whether they were changed. Undone by what it returns. */
async function settle(index: string): Promise<() => Promise<void>> {
  const { atime, mtime } = await stat(index)
  await utimes(index, atime, new Date(mtime.getTime() + 60_000))
  return () => utimes(index, atime, mtime)
}

async function sameSizeAndTime(file: string): Promise<void> {
  const { atime, mtime } = await stat(file)
  await write(file, 'b\n')
  await utimes(file, atime, mtime)
}

const DEEDS: Record<string, { act: (path: string) => Promise<unknown>; spared: boolean }> = {
  nothing: { act: async () => {}, spared: true },
  'reading it': { act: (path) => copyFile(join(path, 'src/a.txt'), join(path, '../copy')), spared: true },
  'what was planted in .git': { act: (path) => write(join(path, '.git/hooks/x'), ''), spared: true },
  'a changed file': { act: (path) => write(join(path, 'src/a.txt'), 'changed'), spared: false },
  'a change that hides itself': { act: (path) => sameSizeAndTime(join(path, 'src/a.txt')), spared: false },
  'a changed mode': { act: (path) => chmod(join(path, 'src/a.txt'), 0o755), spared: false },
  'a file that is gone': { act: (path) => rm(join(path, 'src/a.txt')), spared: false },
  'a link in place of a file': {
    act: async (path) => {
      await rename(join(path, 'src/a.txt'), join(path, '../a.txt'))
      await symlink('../../a.txt', join(path, 'src/a.txt'))
    },
    spared: false,
  },
}

for (const [what, { act, spared }] of Object.entries(DEEDS))
  test(`after ${what}, a worktree is ${spared ? 'not ' : ''}checked out again, and is the commit`, async () => {
    await using repository = await makeRepository({ files: { 'README.md': 'read me\n', 'src/a.txt': 'a\n' } })
    const engine = await openEngine(repository)
    const { slot, path } = await lease(engine)
    const unsettle = await settle(slot.index)
    await act(path)
    const index = readIndexFile(slot)
    assert.ok(index)
    assert.equal(hasUnchangedFiles(slot, index), spared)
    // Git itself looks at whole seconds, and into files that are as new as the index.
    if (!spared) await unsettle()
    const { commands, value } = await counted(() => lease(engine))
    assert.deepEqual([commands, value.repaired], [spared ? [] : ['read-tree'], false])
    assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
    assert.equal(runGit(path, ['show', 'HEAD:src/a.txt']), 'a')
  })

test('files written in the same instant as the index are looked at by git', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  const { mtimeMs } = await stat(join(path, 'README.md'))
  // As a date it could be half a millisecond later.
  const seconds = Math.floor(mtimeMs) / 1_000
  await utimes(slot.index, seconds, seconds)
  const { commands } = await counted(() => lease(engine))
  assert.deepEqual(commands, ['read-tree'])
})

test('another commit, and the work of an attempt that was snapshotted, are checked out', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const first = engine.user.head
  await repository.write('README.md', 'other')
  const second = repository.commit('second')
  const { slot, path } = await lease(engine, 1, first)
  await settle(slot.index)
  assert.deepEqual((await counted(() => lease(engine, 1, second))).commands, ['read-tree'])
  await write(join(path, 'README.md'), 'work')
  await take(slot, second)
  await settle(slot.index)
  assert.deepEqual((await counted(() => lease(engine, 1, second))).commands, ['read-tree'])
  assert.equal(runGit(path, ['status', '--porcelain']), '')
})
