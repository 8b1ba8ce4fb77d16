import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasNothingToClean, readIndexFile } from '../../../src/git/slots/index-file.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { counted } from '../counted.ts'
import { lease, openEngine, take } from '../engine.ts'

/** What is done, and whether `git clean` has nothing to do then. */
const DEEDS: Record<string, { act: (path: string) => Promise<unknown>; nothing: boolean }> = {
  nothing: { act: async () => {}, nothing: true },
  'a changed file': { act: (path) => write(join(path, 'src/a.txt'), 'changed'), nothing: true },
  'a file that is gone': { act: (path) => rm(join(path, 'src/a.txt')), nothing: true },
  'a folder that is gone': { act: (path) => rm(join(path, 'src'), { recursive: true }), nothing: true },
  'what was planted in .git': { act: (path) => write(join(path, '.git/hooks/x'), ''), nothing: true },
  'a new file': { act: (path) => write(join(path, 'src/new'), ''), nothing: false },
  'an ignored file': { act: (path) => write(join(path, 'dist/x'), ''), nothing: false },
  'an empty folder': { act: (path) => mkdir(join(path, 'src/empty')), nothing: false },
  'a file in place of a folder': {
    act: async (path) => {
      await rm(join(path, 'src'), { recursive: true })
      await write(join(path, 'src'), '')
    },
    nothing: false,
  },
  'a folder in place of a file': {
    act: async (path) => {
      await rm(join(path, 'README.md'))
      await mkdir(join(path, 'README.md'))
    },
    nothing: false,
  },
  'a link in place of a folder': {
    act: async (path) => {
      await rename(join(path, 'src'), join(path, '../elsewhere'))
      await symlink('../elsewhere', join(path, 'src'))
    },
    nothing: false,
  },
  'a named pipe in place of a file': {
    act: async (path) => {
      await rm(join(path, 'README.md'))
      execFileSync('mkfifo', [join(path, 'README.md')])
    },
    nothing: false,
  },
}

const FILES = { '.gitignore': 'dist/\n', 'README.md': 'read me\n', 'src/a.txt': 'a\n', 'src/deep/b.txt': 'b\n' }

for (const [what, { act, nothing }] of Object.entries(DEEDS))
  test(`after ${what}, a worktree is ${nothing ? 'not ' : ''}cleaned, and is the commit again`, async () => {
    await using repository = await makeRepository({ files: FILES })
    const engine = await openEngine(repository)
    const { slot, path } = await lease(engine)
    await act(path)
    const index = readIndexFile(slot)
    assert.ok(index)
    assert.equal(hasNothingToClean(slot, index), nothing)
    const { commands, value } = await counted(() => lease(engine))
    assert.deepEqual([commands.includes('clean'), value.repaired], [!nothing, false])
    assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
  })

test('what an attempt has added goes without cleaning: the index has it since the snapshot', async () => {
  await using repository = await makeRepository({ files: FILES })
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  await write(join(path, 'new/file'), 'x')
  await take(slot)
  const { commands } = await counted(() => lease(engine))
  assert.deepEqual(commands, ['read-tree'])
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
})

test('a worktree of many files is left to git', async () => {
  const files = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`folder-${n % 20}/file-${n}`, '']))
  await using repository = await makeRepository({ files })
  const engine = await openEngine(repository)
  const { slot } = await lease(engine)
  const index = readIndexFile(slot)
  assert.ok(index)
  assert.equal(hasNothingToClean(slot, index), false)
})
