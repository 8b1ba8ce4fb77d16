// The user's repository is byte for byte what it was (I8).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint, makeRepository, runGit, type TestRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'

/** What a run may add: its own refs, their logs, and objects. */
const ITS_OWN =
  /^\.git\/((logs\/)?refs\/espalier(\/|$)|(logs\/)?refs\/heads\/espalier(\/|$)|objects\/([0-9a-f]{2}|pack)(\/|$))/

test('a whole run changes nothing but its own refs: dirty checkout, stash, untracked files, detached HEAD, submodule', async () => {
  await using rig = await Rig.open({ files: { '.gitignore': '*.log\n', 'README.md': 'read me\n', 'src/a.txt': 'a\n' } })
  await using other = await makeRepository()
  await makeMessy(rig.repository, other.top)
  const before = await fingerprint(rig.top, () => false)
  const run = await rig.run([
    { id: 'a', run: 'echo changed > src/a.txt' },
    { id: 'b', run: 'git config user.name x; git config user.email x@y; echo b > b.txt; git add .; git commit -qm b' },
    { id: 'c', run: 'echo c > c.txt; git stash list; git stash -u; exit 1' },
    {
      id: 'd',
      run: 'git branch -D main; git tag mine; git update-ref refs/stash HEAD; rm -rf .git/hooks; echo d > d.txt',
    },
    { id: 'e', needs: ['a', 'b'], run: 'cat src/a.txt b.txt > e.txt' },
  ])
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'landed', c: 'failed', d: 'landed', e: 'landed' })
  const after = await fingerprint(rig.top, () => false)
  const changed = [...before].filter(([path, state]) => after.get(path) !== state).map(([path]) => path)
  const added = [...after.keys()].filter((path) => !before.has(path) && !ITS_OWN.test(path))
  assert.deepEqual({ changed, added }, { changed: [], added: [] })
})

async function makeMessy(repository: TestRepository, other: string): Promise<void> {
  const git = (...args: string[]) => repository.git(...args)
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'sub')
  repository.commit('with a submodule')
  await repository.write('src/a.txt', 'stashed\n')
  git('stash')
  git('branch', 'side')
  git('tag', '-a', 'v1', '-m', 'one')
  git('pack-refs', '--all')
  git('checkout', '-q', '--detach')
  await repository.write('src/a.txt', 'staged\n')
  git('add', 'src/a.txt')
  await repository.write('src/a.txt', 'staged and changed\n')
  await repository.write('untracked.txt', 'untracked\n')
  await repository.write('ignored.log', 'ignored\n')
  await repository.write('sub/untracked.txt', 'in the submodule\n')
  await repository.write('.git/hooks/post-commit', '#!/bin/sh\ntouch ran-a-hook\n')
  await repository.write('.git/hooks/reference-transaction', '#!/bin/sh\ntouch ran-a-hook\n')
  runGit(repository.top, ['update-index', '--chmod=+x', 'README.md'])
}
