import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { stateFolder } from '../../src/workspace/state-folder.ts'
import { makeRepository, runGit } from '../rig/repository.ts'

const rootOf = (top: string) => stateFolder(top, null).root

test('all linked worktrees of a repository have one state folder: beside the main checkout', async () => {
  await using repository = await makeRepository()
  repository.git('worktree', 'add', '-q', '--detach', repository.at('linked'))
  assert.equal(rootOf(repository.top), repository.at('repo.espalier'))
  assert.equal(rootOf(repository.at('linked')), repository.at('repo.espalier'))
})

test('worktrees of a bare repository, of a git directory elsewhere and of a submodule have one each', async () => {
  await using repository = await makeRepository()
  const { path, top } = repository
  runGit(path, ['clone', '-q', '--bare', top, 'bare.git'])
  for (const name of ['one', 'two'])
    runGit(path, ['-C', 'bare.git', 'worktree', 'add', '-q', '--detach', join(path, name)])
  for (const name of ['one', 'two']) assert.equal(rootOf(join(path, name)), join(path, 'bare.git.espalier'))

  runGit(path, ['clone', '-q', '--separate-git-dir', join(path, 'apart.git'), top, 'apart'])
  runGit(join(path, 'apart'), ['worktree', 'add', '-q', '--detach', join(path, 'apart-linked')])
  for (const name of ['apart', 'apart-linked']) assert.equal(rootOf(join(path, name)), join(path, 'apart.git.espalier'))

  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(path, 'bare.git'), 'sub')
  const sub = join(top, 'sub')
  runGit(sub, ['worktree', 'add', '-q', '--detach', join(path, 'sub-linked')])
  for (const name of [sub, join(path, 'sub-linked')])
    assert.equal(rootOf(name), join(path, 'repo.espalier/modules/sub'))
})

test('the state folder of a submodule is never in the checkout of its superproject, whatever that is', async () => {
  await using repository = await makeRepository()
  const { path, top } = repository
  const addTo = (folder: string, from: string) =>
    runGit(folder, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, 'deep/sub'])
  runGit(path, ['clone', '-q', top, 'library'])
  runGit(path, ['clone', '-q', '--separate-git-dir', join(path, 'apart.git'), top, 'apart'])
  addTo(join(path, 'apart'), join(path, 'library'))
  assert.equal(rootOf(join(path, 'apart/deep/sub')), join(path, 'apart.git.espalier/modules/deep/sub'))
  addTo(join(path, 'apart/deep/sub'), join(path, 'library'))
  const inner = 'apart.git.espalier/modules/deep/sub/modules/deep/sub'
  assert.equal(rootOf(join(path, 'apart/deep/sub/deep/sub')), join(path, inner))
  repository.git('worktree', 'add', '-q', '--detach', repository.at('linked'))
  addTo(repository.at('linked'), join(path, 'library'))
  assert.equal(rootOf(repository.at('linked/deep/sub')), join(path, 'repo.espalier/worktrees/linked/modules/deep/sub'))
})
