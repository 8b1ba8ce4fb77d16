import assert from 'node:assert/strict'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mergeOnto } from '../../../src/git/landing/merge-onto.ts'
import { landInto } from '../../../src/git/user/land-into.ts'
import { publish } from '../../../src/git/user/publish.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { openEngine, workOn } from '../engine.ts'

/** A repository whose run has changed `src/a.txt` and added `new.txt`. */
async function withResult() {
  const repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  const work = await workOn(engine, base, 'task', async (path) => {
    await write(join(path, 'src/a.txt'), 'by the run\n')
    await write(join(path, 'new.txt'), 'new\n')
  })
  const merge = await mergeOnto(engine, { head: base, work, base, message: 'm\n' })
  assert.ok(merge.kind === 'merged')
  await publish(engine, { run: 'run', base, to: merge.commit })
  const land = (branch = 'main', leave: string[] = []) =>
    landInto(engine, { commit: merge.commit, base, branch, message: 'Land run\n', leave })
  return {
    repository,
    engine,
    base,
    commit: merge.commit,
    land,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

test('a clean checkout of the branch is fast-forwarded, with the user’s hooks', async () => {
  await using t = await withResult()
  await t.repository.write('.git/hooks/post-merge', '#!/bin/sh\ntouch hook-ran\n')
  await chmod(join(t.repository.top, '.git/hooks/post-merge'), 0o755)
  assert.deepEqual(await t.land(), { kind: 'landed', commit: t.commit, fastForward: true })
  assert.equal(await readFile(join(t.repository.top, 'new.txt'), 'utf8'), 'new\n')
  assert.equal(t.repository.git('status', '--porcelain'), '?? hook-ran')
  assert.equal(t.repository.git('rev-parse', 'HEAD'), t.commit)
  assert.deepEqual(await t.land(), { kind: 'contained' })
})

test('a branch that is not checked out moves without a checkout', async () => {
  await using t = await withResult()
  t.repository.git('switch', '-qc', 'elsewhere')
  await t.repository.write('src/a.txt', 'dirty')
  assert.deepEqual(await t.land(), { kind: 'landed', commit: t.commit, fastForward: true })
  assert.equal(t.repository.git('rev-parse', 'main'), t.commit)
  assert.equal(await readFile(join(t.repository.top, 'src/a.txt'), 'utf8'), 'dirty')
})

test('a branch that went on gets a merge commit', async () => {
  await using t = await withResult()
  await t.repository.write('src/b.txt', 'by the user\n')
  const tip = t.repository.commit('meanwhile')
  const result = await t.land()
  assert.ok(result.kind === 'landed')
  assert.equal(result.fastForward, false)
  assert.equal(t.repository.git('log', '-1', '--format=%P %s'), `${tip} ${t.commit} Land run`)
  assert.equal(await readFile(join(t.repository.top, 'src/a.txt'), 'utf8'), 'by the run\n')
  assert.equal(await readFile(join(t.repository.top, 'src/b.txt'), 'utf8'), 'by the user\n')
  assert.equal(t.repository.git('status', '--porcelain'), '')
})

test('a conflict is told with its files and changes nothing', async () => {
  await using t = await withResult()
  await t.repository.write('src/a.txt', 'by the user\n')
  const tip = t.repository.commit('meanwhile')
  assert.deepEqual(await t.land(), { kind: 'conflict', paths: ['src/a.txt'] })
  assert.equal(t.repository.git('rev-parse', 'HEAD'), tip)
  assert.equal(t.repository.git('status', '--porcelain'), '')
})

const REFUSED: Record<string, { act: (t: Awaited<ReturnType<typeof withResult>>) => Promise<void>; expect: RegExp }> = {
  'changed files': {
    act: (t) => t.repository.write('README.md', 'changed'),
    expect: /uncommitted changes \(README\.md\)/,
  },
  'staged files': {
    act: async (t) => {
      await t.repository.write('staged', 's')
      t.repository.git('add', 'staged')
    },
    expect: /uncommitted changes \(staged\)/,
  },
  'an untracked file in the way': {
    act: (t) => t.repository.write('new.txt', 'precious'),
    expect: /Untracked files are in the way: new\.txt/,
  },
  'a merge under way': {
    act: (t) => writeFile(join(t.repository.top, '.git/MERGE_HEAD'), t.base),
    expect: /under way.*MERGE_HEAD/,
  },
}
for (const [what, { act, expect }] of Object.entries(REFUSED)) {
  test(`with ${what} in the checkout the landing is refused and nothing changes`, async () => {
    await using t = await withResult()
    await act(t)
    const before = t.repository.git('status', '--porcelain')
    const result = await t.land()
    assert.ok(result.kind === 'refused')
    assert.match(result.message, expect)
    assert.equal(t.repository.git('status', '--porcelain'), before)
    assert.equal(t.repository.git('rev-parse', 'HEAD'), t.base)
  })
}

test('what a run wrote into its plan file is not in the way, and stays', async () => {
  await using t = await withResult()
  await t.repository.write('README.md', 'the status of tasks')
  assert.equal((await t.land('main', ['README.md'])).kind, 'landed')
  assert.equal(t.repository.git('status', '--porcelain'), ' M README.md')
  assert.equal(await readFile(join(t.repository.top, 'README.md'), 'utf8'), 'the status of tasks')
})

test('a landing that a full disk ends puts everything back, also what the run wrote into its plan file', async () => {
  await using t = await withResult()
  await t.repository.write('README.md', 'the status of tasks')
  const full = 'error: unable to write file src/a.txt: No space left on device'
  await t.repository.write('.git/hooks/reference-transaction', `#!/bin/sh\necho '${full}' >&2; exit 1\n`)
  await chmod(join(t.repository.top, '.git/hooks/reference-transaction'), 0o755)
  const result = await t.land('main', ['README.md'])
  assert.ok(result.kind === 'refused')
  assert.match(result.message, /^The disk is full/)
  assert.equal(t.repository.git('rev-parse', 'HEAD'), t.base)
  assert.equal(t.repository.git('status', '--porcelain'), ' M README.md', 'no second name of it is left')
  assert.equal(await readFile(join(t.repository.top, 'README.md'), 'utf8'), 'the status of tasks')
})

test('it is in the way where it is staged, or the run has changed that file itself', async () => {
  await using t = await withResult()
  await t.repository.write('src/a.txt', 'the status of tasks')
  const result = await t.land('main', ['src/a.txt'])
  assert.ok(result.kind === 'refused')
  assert.match(result.message, /^The run has changed src\/a\.txt/)
  t.repository.git('checkout', '-q', '--', '.')
  await t.repository.write('README.md', 'mine')
  t.repository.git('add', '-A')
  const staged = await t.land('main', ['README.md'])
  assert.ok(staged.kind === 'refused')
  assert.match(staged.message, /uncommitted changes \(README\.md\)/)
})

test('it is not in the way where the run has made the very same of that file', async () => {
  await using t = await withResult()
  await t.repository.write('src/a.txt', 'by the run\n')
  await t.repository.write('new.txt', 'precious')
  const refused = await t.land('main', ['src/a.txt'])
  assert.ok(refused.kind === 'refused')
  assert.match(refused.message, /^Untracked files are in the way: new\.txt/)
  assert.equal(t.repository.git('status', '--porcelain'), ' M src/a.txt\n?? new.txt', 'nothing is staged')
  await rm(join(t.repository.top, 'new.txt'))
  assert.equal((await t.land('main', ['src/a.txt'])).kind, 'landed')
  assert.equal(t.repository.git('status', '--porcelain'), '')
  assert.equal(await readFile(join(t.repository.top, 'src/a.txt'), 'utf8'), 'by the run\n')
})

test('a branch checked out in another worktree, or none of that name, is refused', async () => {
  await using t = await withResult()
  t.repository.git('worktree', 'add', '-q', '-b', 'other', t.repository.at('other'))
  const result = await t.land('other')
  assert.ok(result.kind === 'refused')
  assert.ok(result.message.includes(t.repository.at('other')))
  assert.equal(runGit(t.repository.at('other'), ['status', '--porcelain']), '')
  const none = await t.land('none')
  assert.ok(none.kind === 'refused')
  assert.match(none.message, /no branch none/)
})

test('commits that were taken out of the branch since do not come back, though it could be fast-forwarded', async () => {
  await using repository = await makeRepository()
  const before = repository.git('rev-parse', 'HEAD')
  await repository.write('secret.txt', 'secret')
  const base = repository.commit('secret')
  const engine = await openEngine(repository)
  const commit = await workOn(engine, base, 'task', (path) => writeFile(join(path, 'new.txt'), 'new'))
  repository.git('reset', '-q', '--hard', 'HEAD~1')
  assert.deepEqual(await landInto(engine, { commit, base, branch: 'main', message: 'Land' }), { kind: 'rewritten' })
  assert.equal(repository.git('rev-parse', 'main'), before)
})
