import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BatchGit } from '../../../src/git/run/batch.ts'
import { GitFailure } from '../../../src/git/run/git.ts'
import { objectInfo, objectInfos, readObjects } from '../../../src/git/run/read-objects.ts'
import { useGitRunner } from '../../../src/git/run/runner-client.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { counted } from '../counted.ts'
import { openEngine } from '../engine.ts'

const PUPPET = fileURLToPath(new URL('batch-puppet.ts', import.meta.url))

/** The git processes that stay and are children of `parent`. */
function staying(parent = process.pid): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap((row) => {
    const [, pid, of] = /^\s*(\d+)\s+(\d+)\s+git .*cat-file --batch-command/.exec(row) ?? []
    return Number(of) === parent ? [Number(pid)] : []
  })
}

test('one process answers all questions, also those asked at once, byte for byte', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const large = Buffer.alloc(3 << 20, 'any bytes \n\0\xff end-')
  const texts = [Buffer.from(''), Buffer.from('\n'), Buffer.from('missing\nend\n'), large]
  const ids = texts.map((input) =>
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: engine.gitDir, input, encoding: 'utf8' }).trim(),
  )
  const nowhere = '1'.repeat(40)
  const { value, commands } = await counted(() =>
    Promise.all([
      readObjects(engine, [...ids, nowhere, ids[0] as string], 4 << 20),
      readObjects(engine, ids, 100),
      objectInfos(engine, [engine.user.head, nowhere]),
    ]),
  )
  const [all, small, infos] = value
  assert.deepEqual(commands, ['cat-file'])
  assert.deepEqual(
    ids.map((id) => all.get(id)),
    texts,
  )
  assert.deepEqual([all.get(nowhere), small.get(ids[3] as string)], [null, null])
  assert.deepEqual([infos.get(engine.user.head)?.type, infos.get(nowhere)], ['commit', null])
  await assert.rejects(objectInfo(engine, 'HEAD\nHEAD'), /not the name of an object/)
})

test('a process that somebody ends is replaced, and nobody who asks notices', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  await objectInfo(engine, engine.user.head)
  const [first] = staying()
  assert.ok(first)
  process.kill(first, 'SIGSTOP')
  const open = objectInfo(engine, engine.user.head)
  process.kill(first, 'SIGKILL')
  assert.equal((await open)?.type, 'commit')
  await until('its end', () => processIdentity(first) === null)
})

test('one that cannot answer at all is a failure with what git said, for the next question too', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  await rm(engine.gitDir, { recursive: true })
  for (let n = 0; n < 2; n++) await assert.rejects(objectInfo(engine, engine.user.head), GitFailure)
  using unknown = new BatchGit({
    args: ['no-such-command'],
    options: { cwd: repository.top },
    mark: (name) => ({ question: name, answer: name }),
  })
  await assert.rejects(unknown.ask('anything'), /git no-such-command failed.*is not a git command/s)
})

test('it ends with the last user of git', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  {
    using _ = useGitRunner()
    await objectInfo(engine, engine.user.head)
    assert.ok(staying().length > 0)
  }
  await until('none to stay', () => staying().length === 0)
  assert.equal((await objectInfo(engine, engine.user.head))?.type, 'commit', 'and whoever asks gets another')
})

test('it keeps no process alive that has nothing else to do', async () => {
  await using repository = await makeRepository()
  const child = spawn(process.execPath, [PUPPET, repository.top, repository.state, 'end'], { stdio: 'inherit' })
  assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(60_000) }), [0, null])
})

test('it ends with an engine that is killed', async () => {
  await using repository = await makeRepository()
  const child = spawn(process.execPath, [PUPPET, repository.top, repository.state, 'stay'], { stdio: 'inherit' })
  const [pid] = await until('a git that stays', () => (staying(child.pid).length > 0 ? staying(child.pid) : null))
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until('it to end', () => processIdentity(pid as number) === null)
})
