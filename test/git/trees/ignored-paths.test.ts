import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { ignoredPaths } from '../../../src/git/trees/ignored-paths.ts'
import { makeRepository } from '../../rig/repository.ts'
import { openEngine } from '../engine.ts'

test('by the ignore files of the commit, in every folder, and by the excludes of the user', async () => {
  await using repository = await makeRepository({
    files: { '.gitignore': 'node_modules/\n*.log\n!keep.log\n', 'a/b/.gitignore': '/out\n', 'a/x.txt': '' },
  })
  await repository.write('.git/info/exclude', 'private\n')
  const engine = await openEngine(repository)
  const commit = engine.user.head
  // What is in the checkout by now has no say in it.
  await repository.write('.gitignore', '*\n')
  const paths = [
    'node_modules/x/y.js',
    'sub/node_modules/z',
    'node_modules',
    'a.log',
    'keep.log',
    'a/b/out',
    'a/out',
    'private',
    'new.txt',
  ]
  const ignored = await ignoredPaths(engine, commit, paths)
  assert.deepEqual([...ignored].sort(), ['a.log', 'a/b/out', 'node_modules/x/y.js', 'private', 'sub/node_modules/z'])
  assert.deepEqual(await ignoredPaths(engine, commit, []), new Set())
  assert.deepEqual(
    readdirSync(repository.state).filter((name) => name.startsWith('ignoring-')),
    [],
  )
})

test('a commit without ignore files ignores nothing', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  assert.deepEqual(await ignoredPaths(engine, engine.user.head, ['node_modules/x', 'a\nb']), new Set())
})
