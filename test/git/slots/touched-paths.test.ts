// What an agent has changed so far, looked at while it works.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { touchedPaths } from '../../../src/git/slots/worktree-changes.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, taken } from '../engine.ts'

const LONG_MS = 60_000

test('changed, new, deleted and committed, but nothing that is ignored or only looks touched', async () => {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'same.txt': 'same\n', '.gitignore': 'build/\n' }
  await using repository = await makeRepository({ files })
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  assert.deepEqual(await touchedPaths(slot, LONG_MS), [])
  await writeFile(join(path, 'a.txt'), 'changed\n')
  await rm(join(path, 'b.txt'))
  await write(join(path, 'c.txt'), 'committed\n')
  runGit(path, ['add', '-A'])
  runGit(path, ['commit', '-qm', 'by the agent'])
  await write(join(path, 'new/ö [x].txt'), 'new\n')
  await write(join(path, 'build/out'), 'ignored\n')
  await writeFile(join(path, 'same.txt'), 'same\n')
  await utimes(join(path, 'same.txt'), 1, 1)
  const touched = await touchedPaths(slot, LONG_MS)
  assert.deepEqual(touched.sort(), ['a.txt', 'b.txt', 'c.txt', 'new/ö [x].txt'])
  assert.deepEqual((await taken(slot)).paths, touched, 'and that is what the snapshot finds')
})

test('nothing is written, nobody is locked out, and nothing of the agent runs', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  const trap = repository.at('trap')
  await writeFile(trap, `#!/bin/sh\ntouch '${repository.at('ran')}'\n`)
  await chmod(trap, 0o755)
  for (const key of ['core.fsmonitor', 'filter.evil.clean', 'filter.evil.process', 'diff.evil.textconv'])
    runGit(path, ['config', key, trap])
  await write(join(path, '.gitattributes'), '* filter=evil diff=evil\n')
  await rm(join(path, 'a.txt'))
  execFileSync('mkfifo', [join(path, 'a.txt'), join(path, 'pipe')])
  await writeFile(join(path, '.git/index.lock'), 'the agent is at it')
  const ours = await readFile(slot.index)
  const theirs = await readFile(join(path, '.git/index')).catch(() => null)
  assert.ok((await touchedPaths(slot, LONG_MS)).includes('a.txt'))
  assert.ok(!existsSync(repository.at('ran')))
  assert.deepEqual(await readFile(slot.index), ours)
  assert.ok(!existsSync(`${slot.index}.lock`))
  assert.deepEqual(await readFile(join(path, '.git/index')).catch(() => null), theirs)
  assert.equal(await readFile(join(path, '.git/index.lock'), 'utf8'), 'the agent is at it')
})

test('a worktree that is gone is an error, not an empty one', async () => {
  await using repository = await makeRepository()
  const { slot, path } = await lease(await openEngine(repository))
  await rm(path, { recursive: true })
  await assert.rejects(touchedPaths(slot, LONG_MS))
})
