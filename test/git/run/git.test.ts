import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { transfer } from '../../../src/git/engine/pack.ts'
import { GitFailure, git, gitText } from '../../../src/git/run/git.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'

test('an expected exit status is an answer, another one a failure with what git said', async () => {
  await using folder = await temporaryFolder()
  const args = ['rev-parse', '--git-dir']
  const cwd = folder.path
  const options = { cwd, env: { GIT_CEILING_DIRECTORIES: folder.path } }
  assert.equal((await git(args, { ...options, okCodes: [128] })).code, 128)
  await assert.rejects(git(args, options), (error: unknown) => {
    assert.ok(error instanceof GitFailure)
    assert.equal(error.code, 128)
    assert.match(error.message, /^git rev-parse failed \(exit status 128\): fatal: not a git repository/)
    return true
  })
})

test('a working directory that is gone is a failure and never another directory', async () => {
  await using folder = await temporaryFolder()
  await assert.rejects(git(['version'], { cwd: folder.at('none') }), GitFailure)
})

test('a git that does not end is ended, with what it started', async () => {
  await using repository = await makeRepository()
  execFileSync('mkfifo', [repository.at('pipe')])
  const blocked = git(['-c', `alias.wait=!cat ${repository.at('pipe')}`, 'wait'], {
    cwd: repository.top,
    timeoutMs: 50,
  })
  await assert.rejects(blocked, /SIGKILL/)
})

test('GIT_ variables and configuration of the terminal have no part in it', async () => {
  await using repository = await makeRepository()
  await using other = await makeRepository()
  Object.assign(process.env, {
    GIT_DIR: `${other.top}/.git`,
    GIT_INDEX_FILE: '/nowhere',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'x.y',
    GIT_CONFIG_VALUE_0: 'z',
  })
  try {
    assert.equal(await gitText(['rev-parse', '--show-toplevel'], { cwd: repository.top }), repository.top)
    assert.equal((await git(['config', 'x.y'], { cwd: repository.top, okCodes: [0, 1] })).code, 1)
    assert.equal(await gitText(['config', 'x.y'], { cwd: repository.top, config: 'user' }), 'z')
  } finally {
    for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'])
      delete process.env[name]
  }
})

test('a transfer of what is not there fails, and of nothing new does nothing', async () => {
  await using from = await makeRepository()
  await using to = await makeRepository()
  const sides = { from: { gitDir: `${from.top}/.git` }, to: { gitDir: `${to.top}/.git` }, check: 'sha1' as const }
  await assert.rejects(transfer({ ...sides, want: ['1'.repeat(40)], have: [] }), GitFailure)
  const head = from.git('rev-parse', 'HEAD')
  await transfer({ ...sides, want: [head], have: [head] })
  await from.write('more', 'more')
  const more = from.commit('more')
  // The parent is missing on the other side: git must not store a commit that hangs in the air.
  to.git('update-ref', '-d', 'HEAD')
  to.git('reflog', 'expire', '--expire=now', '--all')
  to.git('rm', '-rqf', '--cached', '.')
  to.git('gc', '-q', '--prune=now')
  await assert.rejects(transfer({ ...sides, want: [more], have: [head] }), GitFailure)
  await transfer({ ...sides, want: [more], have: [] })
  assert.equal(to.git('rev-list', '--count', more), '2')
})
