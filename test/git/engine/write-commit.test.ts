import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { writeCommit } from '../../../src/git/engine/write-object.ts'
import { makeRepository, runGit } from '../../rig/repository.ts'
import { openEngine } from '../engine.ts'

const NAMES = ['Test Person', ' "Dr." O\'Hara, <jr>. ', 'Ünï Cödé', "'quoted'", 'a\nb']

for (const objectFormat of ['sha1', 'sha256'] as const)
  test(`a commit is what git commit-tree makes of the same words (${objectFormat})`, async () => {
    await using repository = await makeRepository({ objectFormat })
    const engine = await openEngine(repository)
    const { head } = engine.user
    const tree = runGit(engine.gitDir, ['rev-parse', `${head}^{tree}`])
    const second = writeCommit(engine, { tree, parents: [head], message: 'second\n' })
    for (const [n, name] of NAMES.entries()) {
      const identity = { name, email: ` <me${n}@example.org>.` }
      const mine = { ...engine, user: { ...engine.user, identity } }
      const author = { name: `Agent ${name}`, email: 'agent@example.org', date: '1600000000 -0330' }
      const message = `Title ${n}\n\nWhat was done: ünï\n\nEspalier-Run: run\n`
      const parents = [head, second, head]
      const commit = writeCommit(mine, { tree, parents, message, author })
      const [, date] = /^committer .*> (\d+ [+-]\d{4})$/m.exec(runGit(engine.gitDir, ['cat-file', '-p', commit])) ?? []
      const env = {
        ...process.env,
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: `@${author.date}`,
        GIT_COMMITTER_NAME: identity.name,
        GIT_COMMITTER_EMAIL: identity.email,
        GIT_COMMITTER_DATE: `@${date}`,
      }
      const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
      const options = { cwd: engine.gitDir, env, input: message, stdio: ['pipe', 'pipe', 'ignore'] as const }
      assert.equal(
        commit,
        execFileSync('git', args, { ...options, stdio: [...options.stdio] })
          .toString()
          .trim(),
      )
    }
    assert.equal(runGit(engine.gitDir, ['fsck', '--strict', '--no-dangling']), '')
  })

for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia'])
  test(`a commit of now has the time as git tells it in ${zone}`, async () => {
    await using repository = await makeRepository()
    const engine = await openEngine(repository)
    const { TZ } = process.env
    process.env.TZ = zone
    try {
      const tree = runGit(engine.gitDir, ['rev-parse', `${engine.user.head}^{tree}`])
      const commit = writeCommit(engine, { tree, parents: [], message: 'now\n' })
      const [seconds, offset] = runGit(engine.gitDir, [
        'log',
        '-1',
        '--format=%ct %cd',
        '--date=format:%z',
        commit,
      ]).split(' ')
      assert.ok(Math.abs(Number(seconds) - Date.now() / 1000) < 60)
      assert.equal(
        offset,
        execFileSync('date', ['+%z'], { env: { ...process.env, TZ: zone }, encoding: 'utf8' }).trim(),
      )
    } finally {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    }
  })

test('a name of which nothing is left is refused, as git does', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const nobody = { ...engine, user: { ...engine.user, identity: { name: ' <> ', email: 'me@example.org' } } }
  assert.throws(() => writeCommit(nobody, { tree: '0'.repeat(40), parents: [], message: 'x\n' }), /set user.name/)
})
