import assert from 'node:assert/strict'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { runBranch, submoduleRef } from '../../../src/git/engine/ref-names.ts'
import { looseObject, writeCommit, writeObject } from '../../../src/git/engine/write-object.ts'
import { mergeOnto, moveBranch } from '../../../src/git/landing/merge-onto.ts'
import type { GitFailure } from '../../../src/git/run/git.ts'
import { listIncluded } from '../../../src/git/user/included-files.ts'
import {
  publish,
  publishSubmodules,
  publishWork,
  reserveRun,
  runsInUser,
  unpin,
  unpublish,
} from '../../../src/git/user/publish.ts'
import { inspect, resolveCommit } from '../../../src/git/user/repository.ts'
import { GitTrouble } from '../../rig/full-disk.ts'
import { fingerprint, makeRepository, runGit, type TestRepository, write } from '../../rig/repository.ts'
import { lease, openEngine, take, taken, workOn } from '../engine.ts'

async function land(engine: EngineRepository, head: string, name: string, files = 1): Promise<string> {
  const work = await workOn(engine, head, name, async (path) => {
    for (let i = 0; i < files; i++) await write(join(path, `${name}-${i}.txt`), `${name} ${i}`)
  })
  const message = { title: name, run: 'run', tasks: [{ task: name, attempt: 1 }] }
  const merge = await mergeOnto(engine, { head, work, base: head, message })
  assert.ok(merge.kind === 'merged')
  return merge.commit
}

test('the branch appears in the user’s repository and moves forward, with few and with many objects', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  const one = await land(engine, base, 'one')
  assert.deepEqual(await publish(engine, { run: 'run', base, to: one }), {
    ok: true,
    branch: 'espalier/run',
    from: null,
    to: one,
  })
  const two = await land(engine, one, 'two', 150)
  assert.deepEqual(await publish(engine, { run: 'run', base, to: two }), {
    ok: true,
    branch: 'espalier/run',
    from: one,
    to: two,
  })
  assert.deepEqual(await publish(engine, { run: 'run', base, to: two }), {
    ok: true,
    branch: 'espalier/run',
    from: two,
    to: two,
  })
  assert.equal(repository.git('rev-parse', 'espalier/run', 'refs/espalier/run/base'), `${two}\n${base}`)
  // Complete without the engine's repository.
  await rm(repository.state, { recursive: true })
  assert.equal(repository.git('fsck', '--strict', '--no-dangling'), '')
  assert.equal(repository.git('ls-tree', '-r', '--name-only', 'espalier/run').split('\n').length, 3 + 151)
})

test('a branch the user deleted is made again, one they moved is left alone', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  const one = await land(engine, base, 'one')
  const two = await land(engine, one, 'two')
  await publish(engine, { run: 'run', base, to: one })
  repository.git('branch', '-qD', 'espalier/run')
  assert.equal((await publish(engine, { run: 'run', base, to: two })).ok, true)
  assert.equal(repository.git('rev-parse', 'espalier/run'), two)

  await repository.write('mine', 'mine')
  const mine = repository.commit('mine')
  repository.git('branch', '-qf', 'espalier/run', mine)
  const three = await land(engine, two, 'three')
  const moved = await publish(engine, { run: 'run', base, to: three })
  assert.ok(!moved.ok)
  assert.equal(moved.reason, 'moved')
  assert.match(moved.message, /espalier\/run was moved to/)
  assert.equal(repository.git('rev-parse', 'espalier/run'), mine)
})

test('a base that was pruned with the refs that kept it is no lock and no safe result: it is said what is missing', async () => {
  await using repository = await makeRepository()
  await write(join(repository.top, 'base.txt'), 'base')
  const base = repository.commit('base')
  const engine = await openEngine(repository)
  assert.ok(await reserveRun(engine, 'run', base))
  const to = await land(engine, base, 'one')
  repository.git('reset', '-q', '--hard', 'HEAD~1')
  repository.git('update-ref', '-d', 'refs/espalier/run/base')
  repository.git('reflog', 'expire', '--expire=now', '--all')
  repository.git('gc', '-q', '--prune=now')
  const published = await publish(engine, { run: 'run', base, to })
  assert.ok(!published.ok)
  assert.match(published.message, new RegExp(`the commit that it began from is gone.*\`git fetch CLONE ${base}\``))
  assert.doesNotMatch(published.message, /safe/)
})

test('a branch that is checked out is not moved under the user’s feet', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  const one = await land(engine, base, 'one')
  await publish(engine, { run: 'run', base, to: one })
  repository.git('worktree', 'add', '-q', repository.at('look'), 'espalier/run')
  const two = await land(engine, one, 'two')
  const refused = await publish(engine, { run: 'run', base, to: two })
  assert.ok(!refused.ok)
  assert.equal(refused.reason, 'checked-out')
  assert.ok(refused.message.includes(repository.at('look')))
  assert.equal(runGit(repository.at('look'), ['status', '--porcelain']), '')
})

test('a lock in the user’s repository is reported as such', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const one = await land(engine, engine.user.head, 'one')
  await write(join(repository.top, '.git/refs/heads/espalier/run.lock'), '')
  const refused = await publish(engine, { run: 'run', base: engine.user.head, to: one })
  assert.ok(!refused.ok)
  assert.equal(refused.reason, 'unwritable')
  assert.match(refused.message, /run\.lock/)
})

test('a full disk of the user’s repository is named by its folder where the name of a run is taken', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  using trouble = new GitTrouble(repository.path)
  trouble.begin('full', 'update-ref')
  const { folder } = await reserveRun(engine, 'run', engine.user.head).then(
    () => assert.fail('there is room'),
    (error: GitFailure) => error,
  )
  assert.equal(folder, engine.user.commonDir)
})

test('what a run left in the user’s repository can be removed', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  const tip = await land(engine, base, 'one')
  await publish(engine, { run: 'run', base, to: tip })
  await assert.rejects(unpublish(engine, 'run', base), /expected/)
  assert.match(repository.git('for-each-ref'), /espalier\/run\/base/, 'all or nothing')
  await unpin(engine, 'run')
  assert.equal(repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/espalier/run\nrefs/heads/main')
  await unpublish(engine, 'run', tip)
  assert.equal(repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main')
})

const STATES: Record<string, (repository: TestRepository) => Promise<void>> = {
  'a dirty checkout with a stash and untracked files': async (repository) => {
    await repository.write('src/a.txt', 'stashed')
    repository.git('stash', '-q')
    await repository.write('src/a.txt', 'staged')
    repository.git('add', '-A')
    await repository.write('src/a.txt', 'and changed')
    await repository.write('untracked', 'u')
    await repository.write('.worktreeinclude', '.env\n')
    await repository.write('.env', 'KEY=1')
  },
  'a detached HEAD': async (repository) => {
    repository.git('switch', '-q', '--detach')
  },
  'hooks and settings that would interfere': async (repository) => {
    repository.git('config', 'core.fsmonitor', 'touch sprung; false')
    repository.git('config', 'gc.auto', '1')
    repository.git('config', 'core.logAllRefUpdates', 'always')
    for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change', 'post-merge', 'update']) {
      await repository.write(`.git/hooks/${hook}`, '#!/bin/sh\ntouch sprung\nexit 1\n')
      await chmod(join(repository.top, '.git/hooks', hook), 0o755)
    }
  },
  'a submodule': async (repository) => {
    const library = repository.at('library')
    runGit(repository.path, ['clone', '-q', repository.top, library])
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib')
    repository.commit('with a submodule')
    await repository.write('lib/src/a.txt', 'dirty in there')
  },
  'a stale index and packed refs': async (repository) => {
    repository.git('gc', '-q')
    await writeFile(join(repository.top, 'README.md'), 'read me\n')
  },
}
for (const [what, arrange] of Object.entries(STATES)) {
  test(`with ${what} the user's repository stays byte for byte as it was`, async () => {
    await using repository = await makeRepository()
    await arrange(repository)
    const before = await fingerprint(repository.top, isOurs)
    const engine = await openEngine(repository)
    const base = engine.user.head
    assert.ok(await reserveRun(engine, 'run', base))
    await resolveCommit(engine.user, 'HEAD')
    await runsInUser(engine)
    const { slot, path } = await lease(engine, 1, base, { include: await listIncluded(engine.user) })
    await write(join(path, 'src/a.txt'), 'by the agent')
    runGit(path, ['stash', '-q'])
    runGit(path, ['stash', 'pop', '-q'])
    runGit(path, ['commit', '-qam', 'by the agent'])
    runGit(path, ['tag', 'v9'])
    runGit(path, ['gc', '-q', '--prune=now'])
    await write(join(path, 'more'), 'more')
    const { commit } = await taken(slot, base, 'task')
    const merge = await mergeOnto(engine, { head: base, work: commit as string, message: 'm\n' })
    assert.ok(merge.kind === 'merged')
    await moveBranch(engine, { ref: runBranch('run'), to: merge.commit, from: null })
    assert.equal((await publish(engine, { run: 'run', base, to: merge.commit })).ok, true)
    assert.equal(
      (await publish(engine, { run: 'run', base, to: await land(engine, merge.commit, 'many', 120) })).ok,
      true,
    )
    await lease(engine)
    await take(slot)
    assert.deepEqual(await fingerprint(repository.top, isOurs), before)
    assert.equal((await inspect(repository.top)).ok, true)
  })
}

/** What a run may add to the user's repository. */
function isOurs(path: string): boolean {
  return /^\.git\/((logs\/)?refs\/(heads\/)?espalier|logs\/refs\/espalier|objects\/([0-9a-f]{2}|pack))(\/|$)/.test(path)
}

test('objects that were there before stay byte for byte as they were', async () => {
  await using repository = await makeRepository()
  const objects = join(repository.top, '.git/objects')
  const before = await fingerprint(objects, () => false)
  const engine = await openEngine(repository)
  await publish(engine, { run: 'run', base: engine.user.head, to: await land(engine, engine.user.head, 'one') })
  const after = await fingerprint(objects, () => false)
  for (const [path, content] of before) assert.equal(after.get(path), content)
})

test('every run that the user still has anything of is listed', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  assert.deepEqual(await runsInUser(engine), [])
  repository.git('branch', 'espalier/one')
  repository.git('branch', 'espalierless')
  assert.ok(await reserveRun(engine, 'two', engine.user.head))
  assert.equal(await reserveRun(engine, 'two', engine.user.head), false, 'a name is taken once')
  await publishWork(engine, 'three', { task: 'a', attempt: 1, commit: engine.user.head, kind: 'failed' })
  await publishWork(engine, 'three', { task: 'a', attempt: 2, commit: engine.user.head, kind: 'failed' })
  assert.deepEqual((await runsInUser(engine)).sort(), ['one', 'three', 'two'])
})

test('failed work that went with a removed engine.git is not said to be there', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const said = await publishWork(engine, 'run', { task: 'a', attempt: 1, commit: '1'.repeat(40), kind: 'failed' })
  assert.match(said ?? '', /^the work of a \(attempt 1\), 111111111111, is not kept: .*engine\.git was removed since/)
})

test('commits made in submodules are published also where the run began without any, each with what is new', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  const tree = (...blobs: string[]) => {
    const ids = blobs.map((text) => writeObject(engine, 'blob', Buffer.from(text)))
    const names = ids.map((id, n) => Buffer.concat([Buffer.from(`100644 ${n}\0`), Buffer.from(id, 'hex')]))
    return writeObject(engine, 'tree', Buffer.concat(names))
  }
  const made = (treeId: string, parents: string[]) => {
    const commit = writeCommit(engine, { tree: treeId, parents, message: 'inside\n' })
    inEngine('update-ref', submoduleRef('run', commit), commit)
    return commit
  }
  const published = () => repository.git('for-each-ref', '--format=%(refname)', 'refs/espalier/run/submodules')
  const first = made(tree(...Array.from({ length: 120 }, (_, n) => `${n}`)), [])
  assert.equal(await publishSubmodules(engine, 'run'), null)
  assert.equal(published(), `refs/espalier/run/submodules/${first}`)
  inEngine('pack-refs', '--all', '--prune')
  repository.git('update-ref', '-d', `refs/espalier/run/submodules/${first}`)
  assert.equal(await publishSubmodules(engine, 'run'), null)
  assert.equal(published(), `refs/espalier/run/submodules/${first}`)
  const packed = () => /^in-pack: (\d+)/m.exec(repository.git('count-objects', '-v'))?.[1]
  const before = packed()

  const spoilt = tree('spoilt')
  const bad = made(spoilt, [first])
  await rm(looseObject(join(engine.gitDir, 'objects'), spoilt))
  const good = made(tree('good'), [first])
  const work = await workOn(engine, engine.user.head, 'task', (path) => write(join(path, 'new'), 'x'))
  const trouble = await publishWork(engine, 'run', { task: 'task', attempt: 1, commit: work, kind: 'failed' })
  assert.match(trouble ?? '', new RegExp(`the commit ${bad.slice(0, 12)}, made in a submodule`))
  const names = [first, good].toSorted().map((commit) => `refs/espalier/run/submodules/${commit}`)
  assert.equal(published(), names.join('\n'))
  assert.equal(packed(), before)
  assert.equal(repository.git('rev-parse', 'refs/espalier/run/failed/task/1'), work)
  repository.git('fsck', '--connectivity-only')
})
