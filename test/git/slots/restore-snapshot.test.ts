// A slot after checks have been at it, put back to what a snapshot of it holds.
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { markSetup } from '../../../src/git/slots/prepare-slot.ts'
import { restore } from '../../../src/git/slots/restore-snapshot.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, taken } from '../engine.ts'

/** With work in it: `new.txt`, `src/a.txt` changed, `gone.txt` deleted. */
async function worked() {
  const repository = await makeRepository({
    files: { 'src/a.txt': 'a\n', 'gone.txt': 'x\n', 'b.txt': 'b\n', '.gitignore': 'built\n' },
  })
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine, 1, engine.user.head, { keep: ['cache'], setupKey: 'key' })
  await write(join(path, 'from-setup.txt'), 'setup\n')
  await markSetup(slot, 'key')
  const at = (name: string) => join(path, name)
  await write(at('new.txt'), 'new\n')
  await write(at('src/a.txt'), 'changed\n')
  await rm(at('gone.txt'))
  const agent = (...args: string[]) => runGit(path, args)
  const head = agent('rev-parse', 'HEAD')
  const { tree, commit } = await taken(slot)
  assert.ok(commit)
  const again = async () => (await taken(slot)).tree
  return {
    ...{ slot, path, at, agent, tree, commit, head, again },
    putBack: () => restore(slot, { tree, commit, head }),
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

test('what checks wrote, changed and deleted is undone; what git ignores stays', async () => {
  await using t = await worked()
  await write(t.at('src/a.txt'), 'spoilt\n')
  await write(t.at('gone.txt'), 'back\n')
  await write(t.at('deep/er/made.txt'), 'made\n')
  await rm(t.at('new.txt'))
  await write(t.at('hidden.txt'), 'made\n')
  await writeFile(t.at('.gitignore'), 'built\nhidden.txt\n')
  for (const name of ['built', 'cache/x', 'from-setup.txt']) await write(t.at(name), 'left\n')
  assert.notEqual(await t.again(), t.tree)
  assert.equal(await t.putBack(), null)
  const names = ['.git', '.gitignore', 'b.txt', 'built', 'cache', 'from-setup.txt', 'new.txt', 'src']
  assert.deepEqual((await readdir(t.path)).sort(), names)
  assert.equal(await readFile(t.at('src/a.txt'), 'utf8'), 'changed\n')
  assert.equal(await t.again(), t.tree)
})

test('a folder that was replaced by a link is a folder again, and what the link led to is left alone', async () => {
  await using t = await worked()
  await rename(t.at('src'), t.at('elsewhere'))
  await symlink('elsewhere', t.at('src'))
  assert.equal(await t.putBack(), null)
  assert.equal(await readFile(t.at('src/a.txt'), 'utf8'), 'changed\n')
  assert.equal(await t.again(), t.tree)
})

test('a folder nobody may write to is no obstacle, and neither is a broken index', async () => {
  await using t = await worked()
  await mkdir(t.at('locked'))
  await write(t.at('locked/made.txt'), 'made\n')
  await chmod(t.at('locked'), 0o500)
  await writeFile(t.slot.index, 'no index')
  assert.equal(await t.putBack(), null)
  assert.equal(await t.again(), t.tree)
})

test("the agent's repository is left alone, unless its HEAD has moved", async () => {
  await using t = await worked()
  t.agent('add', 'new.txt')
  assert.equal(await t.putBack(), null)
  assert.match(t.agent('status', '--porcelain'), /^A {2}new\.txt$/m)
  t.agent('commit', '-qam', 'by a check')
  assert.equal(await t.putBack(), null)
  assert.equal(t.agent('rev-parse', 'HEAD'), t.commit)
  assert.equal(t.agent('status', '--porcelain'), '')
  assert.deepEqual([await t.again(), (await taken(t.slot)).commit], [t.tree, t.commit])
})

test('a worktree that is gone cannot be put back', async () => {
  await using t = await worked()
  await rm(t.path, { recursive: true })
  const failure = await t.putBack()
  assert.equal(failure?.reason, 'worktree-broken')
  assert.match(failure.message, /it is gone.*verify commands/)
})

for (const linked of ['.git', '.git/modules'])
  test(`what a link in place of ${linked} leads to is left alone, also by setup`, async () => {
    await using t = await worked()
    await using other = await makeRepository({ files: { 'a.txt': 'a\n' } })
    const victim = join(other.top, '.git')
    await mkdir(join(victim, 'modules'))
    const before = await readdir(victim, { recursive: true })
    for (const isSetup of [false, true]) {
      await rm(t.at(linked), { recursive: true, force: true })
      await symlink(victim, t.at(linked))
      if (linked === '.git/modules') await writeFile(t.at('.git/HEAD'), 'nonsense')
      if (isSetup) await markSetup(t.slot, 'key')
      else assert.equal(await t.putBack(), null)
      assert.deepEqual(await readdir(victim, { recursive: true }), before)
      assert.equal((await readdir(t.at('.git'))).includes('modules'), false)
    }
  })
