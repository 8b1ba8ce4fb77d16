import assert from 'node:assert/strict'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { writeObject } from '../../../src/git/engine/write-object.ts'
import { escapingLinks, SYMLINK } from '../../../src/git/trees/escaping-links.ts'
import { treeWithEntries } from '../../../src/git/trees/tree-of.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, take } from '../engine.ts'

const LINKS: Record<string, { links: Record<string, string>; out: string[] }> = {
  'an absolute path': { links: { a: '/etc/passwd' }, out: ['a'] },
  'the folder above the repository': { links: { a: '..', 'x/b': '../..' }, out: ['a', 'x/b'] },
  'up and down again inside': { links: { 'x/y/b': '../../z/./c', c: 'nowhere' }, out: [] },
  'out and in again by name': { links: { a: '../repo/x' }, out: ['a'] },
  'through another link': { links: { a: 'deep/link/../../x', 'deep/link': '../b', b: 'c/d' }, out: [] },
  'out through another link': { links: { a: 'deep/link/../x', 'deep/link': '..' }, out: ['a'] },
  'through a link that leads out': { links: { a: 'b/c', b: '/tmp' }, out: ['a', 'b'] },
  'a circle': { links: { a: 'b', b: 'a', c: 'c/c' }, out: [] },
  'the folder of git': { links: { a: '.git/hooks', 'x/b': '../.GIT', c: 'x/.git' }, out: ['a', 'x/b'] },
}

for (const [what, { links, out }] of Object.entries(LINKS)) {
  test(`${what}: ${out.length > 0 ? `${out.join(', ')} leads out` : 'stays inside'}`, async () => {
    await using repository = await makeRepository()
    const engine = await openEngine(repository)
    const base = repository.git('rev-parse', 'HEAD')
    const entries = Object.entries(links).map(([path, target]) => {
      return { mode: SYMLINK, id: writeObject(engine, 'blob', Buffer.from(target)), path }
    })
    assert.deepEqual(await escapingLinks(engine, { base, work: await treeWithEntries(engine, base, entries) }), out)
  })
}

async function withLinks(links: Record<string, string>) {
  const repository = await makeRepository()
  for (const [path, target] of Object.entries(links)) await link(join(repository.top, path), target)
  if (Object.keys(links).length > 0) repository.commit('links')
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  return { repository, engine, slot, path, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await rm(path, { force: true })
  await symlink(target, path)
}

test('work with a link that leads out is kept and does not land, and says which link it is', async () => {
  await using t = await withLinks({})
  await link(join(t.path, 'src/inside'), '../README.md')
  await link(join(t.path, 'src/out'), '../../../secret')
  const result = await take(t.slot)
  assert.ok(!result.ok)
  assert.equal(result.failure.reason, 'symlink-escapes')
  assert.deepEqual(result.failure.paths, ['src/out'])
  assert.match(result.failure.message, /src\/out.*Link to a path inside/)
  assert.equal(runGit(t.engine.gitDir, ['rev-parse', 'refs/espalier/runs/run/task/1']), result.commit)
})

test('a link that the agent has committed counts as one it has left lying there', async () => {
  await using t = await withLinks({})
  await link(join(t.path, 'out'), '/etc')
  runGit(t.path, ['add', '-A'])
  runGit(t.path, ['commit', '-qm', 'link'])
  const result = await take(t.slot)
  assert.ok(!result.ok)
  assert.equal(result.failure.reason, 'symlink-escapes')
})

test('links that were there before are left alone, unless the work turns them', async () => {
  await using t = await withLinks({
    'old-out': '/usr',
    turned: 'README.md',
    bend: 'src/deep',
    'far/through': '../bend/../../x',
  })
  await write(join(t.path, 'work'), 'w')
  await rm(join(t.path, 'turned'))
  const harmless = await take(t.slot)
  assert.ok(harmless.ok, JSON.stringify(harmless))
  // Unchanged itself, `far/through` now leads out because of what it passes.
  await link(join(t.path, 'bend'), 'src')
  const result = await take(t.slot)
  assert.ok(!result.ok)
  assert.deepEqual(result.failure.paths, ['far/through'])
})

test('a link whose target is no path at all is refused without being read', async () => {
  await using t = await withLinks({})
  await write(join(t.path, 'target'), 'x/'.repeat(1 << 20))
  const blob = runGit(t.path, ['hash-object', '-w', 'target'])
  await rm(join(t.path, 'target'))
  runGit(t.path, ['update-index', '--add', '--cacheinfo', `120000,${blob},endless`])
  runGit(t.path, ['commit', '-qm', 'endless'])
  runGit(t.path, ['update-index', '--skip-worktree', 'endless'])
  const committed = runGit(t.path, ['rev-parse', 'HEAD'])
  const kept = await take(t.slot)
  assert.ok(kept.ok || kept.commit)
  assert.deepEqual(await escapingLinks(t.engine, { base: t.engine.user.head, work: committed }), ['endless'])
})
