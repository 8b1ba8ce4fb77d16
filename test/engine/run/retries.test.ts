// What a failure leads to: another attempt, a blocked dependent, work that is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

test('an attempt that fails is tried again, after its backoff, with what went wrong in its prompt', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', prompt: 'Do the thing.', retries: 1 }], { command: rig.stage.command() })
  const first = await rig.stage.next('a')
  assert.match(first.hello.stdin, /^Do the thing\.\n\n## How you work here\n/)
  await first.write('half.txt', 'half\n')
  await first.print('the compiler is on fire\n')
  await first.exit(3)
  const second = await rig.stage.next('a')
  assert.equal(second.attempt, 2)
  assert.match(second.hello.stdin, /^Do the thing\.\n/)
  assert.match(second.hello.stdin, /Attempt 1 did not succeed \(agent-failed\): exited with status 3/)
  assert.match(second.hello.stdin, /\n {4}the compiler is on fire\n/)
  assert.equal(await second.sh('ls half.txt 2>&1 || true'), "ls: cannot access 'half.txt': No such file or directory")
  await second.deliver('whole.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  const [one, two] = run.task('a').history
  assert.deepEqual([one?.outcome, one?.failure?.reason, two?.outcome], ['failed', 'agent-failed', 'changed'])
  const finished = run.all('attempt.finished')[0]
  const again = run.all('attempt.started')[1]
  assert.ok(finished && again && again.at >= finished.at + 1)
})

test('once its retries are used up it has failed, its dependents are blocked by it, and the others land', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'bad', run: 'echo no luck; exit 7', retries: 2 },
    { id: 'child', needs: ['bad'], run: 'true' },
    { id: 'grandchild', needs: ['child'], run: 'true' },
    { id: 'good', run: 'echo good > good.txt' },
  ])
  assert.equal(run.outcome.status, 'failed')
  assert.deepEqual(run.statuses(), { bad: 'failed', child: 'blocked', grandchild: 'blocked', good: 'landed' })
  assert.equal(run.task('bad').attempts, 3)
  assert.deepEqual(run.task('bad').failure, {
    reason: 'command-failed',
    message: 'exited with status 7: no luck',
  })
  const { reason, cause } = run.task('grandchild').failure ?? {}
  assert.deepEqual({ reason, cause }, { reason: 'need-failed', cause: 'bad' })
  assert.equal(run.task('child').attempts, 0)
})

test('a command that does not exist is a failure that names it', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'a', run: 'no-such-program-here --flag' }])
  assert.match(run.task('a').failure?.message ?? '', /status 127.*no-such-program-here/)
})

test('a command that is killed by somebody else has failed', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'a', run: 'kill -KILL $$' }])
  assert.equal(run.task('a').failure?.reason, 'command-failed')
  assert.equal(run.task('a').outcome, 'failed')
})

test('a task that changes nothing has passed, and its dependents go on', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: 'true' },
    { id: 'b', needs: ['a'], run: 'echo b > b.txt' },
  ])
  assert.equal(run.outcome.status, 'completed')
  assert.deepEqual(run.statuses(), { a: 'passed', b: 'landed' })
  assert.equal(run.task('a').outcome, 'no-change')
})

test('work that must not land is kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'a', land: false, run: 'echo a > a.txt' }])
  assert.equal(run.outcome.status, 'completed')
  assert.equal(run.task('a').status, 'passed')
  assert.equal(run.outcome.head, run.outcome.base)
  const kept = run.task('a').history[0]?.commit
  assert.ok(kept)
  const engine = `--git-dir=${rig.state}/engine.git`
  assert.equal(rig.git(engine, 'rev-parse', `refs/espalier/runs/${run.id}/a/1`), kept)
  assert.equal(rig.git(engine, 'show', `${kept}:a.txt`), 'a')
})

test('work that does not pass its verify commands fails with the end of their output, and is kept as a ref', async () => {
  await using rig = await Rig.open()
  const noise = `for i in $(seq 1 400); do echo "line $i of the noise"; done; echo THE LAST WORD; false`
  const run = await rig.run([{ id: 'a', run: 'echo a > a.txt', verify: ['test -f a.txt', noise, 'touch never'] }])
  const { failure } = run.task('a')
  assert.equal(failure?.reason, 'verify-failed')
  assert.match(failure?.message ?? '', /^`for i in .* exited with status 1:\n/)
  assert.match(failure?.message ?? '', /THE LAST WORD$/)
  assert.equal(rig.landedFile(run.outcome, 'a.txt'), null)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a')
})

test('verify commands see the work, and what they change does not land', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: 'echo a > a.txt', verify: ['grep -q a a.txt', 'echo spoilt > a.txt; echo x > x.txt'] },
  ])
  assert.equal(run.task('a').status, 'landed')
  assert.equal(rig.landedFile(run.outcome, 'a.txt'), 'a')
  assert.equal(rig.landedFile(run.outcome, 'x.txt'), null)
})

test('doing nothing does not get a task past its verify commands', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: 'true', verify: ['test -f a.txt'] },
    { id: 'b', run: 'true', verify: ['test -f README.md'] },
  ])
  assert.deepEqual(run.statuses(), { a: 'failed', b: 'passed' })
  assert.equal(run.task('a').failure?.reason, 'verify-failed')
})
