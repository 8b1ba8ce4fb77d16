import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { GitFailure, git, gitText } from '../../../src/git/run/git.ts'
import { useGitRunner } from '../../../src/git/run/runner-client.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

/** Children of this process that are git runners. */
function runners(): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap((row) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s.*git\/run\/runner-process/.exec(row) ?? []
    return Number(parent) === process.pid ? [Number(pid)] : []
  })
}

test('git gives the same answers through the runner, and the runner ends with its last user', async () => {
  await using repo = await makeRepository()
  const at = { cwd: repo.top }
  {
    using _first = useGitRunner()
    using _second = useGitRunner()
    await until('a runner', () => runners().length === 1)
    assert.equal(await gitText(['rev-parse', '--show-toplevel'], at), repo.top)
    const hash = await gitText(['hash-object', '--stdin'], { ...at, input: Buffer.from([0, 1, 255]) })
    assert.equal(
      hash,
      execFileSync('git', ['hash-object', '--stdin'], { input: Buffer.from([0, 1, 255]) })
        .toString()
        .trim(),
    )
    assert.equal((await git(['cat-file', '-e', '0'.repeat(40)], { ...at, okCodes: [1, 128] })).stdout.length, 0)
    await assert.rejects(git(['no-such-command'], at), GitFailure)
    await assert.rejects(git(['rev-parse', 'a\0b'], at), GitFailure)
    assert.equal(await gitText(['rev-parse', '--show-toplevel'], at), repo.top, 'a bad command harms no other')
  }
  await until('no runner', () => runners().length === 0)
  assert.equal(await gitText(['rev-parse', '--show-toplevel'], at), repo.top, 'and git goes on without it')
})

test('a runner that is killed in the middle of a command costs nothing', async () => {
  await using repo = await makeRepository()
  using _ = useGitRunner()
  const [pid] = await until('a runner', () => (runners().length > 0 ? runners() : null))
  const answers = Array.from({ length: 20 }, () => gitText(['rev-parse', 'HEAD'], { cwd: repo.top }))
  process.kill(pid as number, 'SIGKILL')
  assert.equal(new Set(await Promise.all(answers)).size, 1)
})
