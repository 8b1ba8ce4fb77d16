// What an engine finds when it takes over: work that ended in time, steps and agents that go on, stops half carried out.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { openRun } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { signal } from '../../../src/process/tree/tree.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function doomed(rig: Rig, tasks: TaskDraft[], settings = makeSettings()): DoomedEngine {
  return new DoomedEngine(rig.top, rig.plan(tasks), settings)
}

test('work that was done in time is checked and lands, however late the next engine comes', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a', timeoutMs: 2_500, verify: ['test -f a.txt'] }])
  const puppet = await rig.stage.next('a')
  const { deadline } = await engine.saw('attempt.started')
  await engine.kill()
  await puppet.deliver('a.txt')
  await puppet.gone()
  await until('the deadline to pass', () => Date.now() > deadline)
  const run = await rig.resume()
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'], JSON.stringify(run.task('a').failure))
})

test('a setup command that outlived its engine has ended before the worktree is made again', async () => {
  await using rig = await Rig.open()
  const setup = [rig.stage.command('setup'), rig.stage.command('setup')]
  await using engine = doomed(rig, [{ id: 'a', run: 'echo a > a.txt' }], makeSettings({ setup }))
  await (await rig.stage.next('a', 'setup')).exit()
  const second = await rig.stage.next('a', 'setup')
  await second.sh('(while :; do echo x > late.txt; done) >/dev/null 2>&1 &')
  await engine.kill()
  const run = await rig.resume()
  const again = await rig.stage.next('a', 'setup')
  assert.equal(second.alive, false)
  assert.equal(await again.sh('ls -A'), await again.sh('git ls-files | cut -d/ -f1 | sort -u | sed 1i.git'))
  await again.exit()
  await (await rig.stage.next('a', 'setup')).exit()
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
})

test('a verify command that outlived its engine has ended before the first check is made again', async () => {
  await using rig = await Rig.open()
  const verify = [rig.stage.command('verify'), rig.stage.command('verify')]
  await using engine = doomed(rig, [{ id: 'a', run: 'echo a > a.txt', verify }])
  await (await rig.stage.next('a', 'verify')).exit()
  const second = await rig.stage.next('a', 'verify')
  await engine.kill()
  const run = await rig.resume()
  const again = await rig.stage.next('a', 'verify')
  assert.equal(second.alive, false)
  await again.exit()
  await (await rig.stage.next('a', 'verify')).exit()
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
  assert.deepEqual(run.all('attempt.progress'), [], 'the check is not what the agent left behind')
})

test('an agent that ended because an interrupted engine asked it to has not failed', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', retries: 0 }], { graceMs: 60_000 })
  const puppet = await rig.stage.next('a')
  first.run.interrupt()
  await first.saw('attempt.stopping')
  first.run.abandon()
  await first.finish()
  // That engine may have let go of it before it came to ask.
  const agent = processIdentity(puppet.hello.pid)
  if (agent) signal(agent, 'SIGTERM')
  await puppet.gone()
  const run = await rig.resume()
  const again = await rig.stage.next('a')
  assert.equal(again.attempt, 2)
  await again.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.equal(run.task('a').history[0]?.failure?.reason, 'interrupted')
})

test('interrupted and then left at once, agents that go on are taken over and not stopped again', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }], { graceMs: 60_000 })
  const puppet = await rig.stage.next('a')
  await puppet.ignore('SIGTERM')
  first.run.interrupt()
  await first.saw('attempt.stopping')
  first.run.abandon()
  await first.finish()
  assert.ok(puppet.alive)
  const run = await rig.resume()
  // One that ends before the next engine has looked ended because it was told to, as far as anybody knows.
  await puppet.print('still here\n')
  await run.saw('attempt.progress', ({ message }) => message === 'still here')
  await puppet.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'], JSON.stringify(run.task('a').history))
})

test('work that ended by itself counts, also when the next engine is stopped before it has looked', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  await engine.kill()
  await puppet.deliver('a.txt')
  await puppet.gone()
  const run = await rig.resume()
  run.run.interrupt()
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'], JSON.stringify(run.task('a').history))
})

test('an agent that ended because it was told to has not finished, also when that engine died meanwhile', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a', timeoutMs: 3_000 }], makeSettings({ graceMs: 60_000 }))
  const puppet = await rig.stage.next('a')
  await puppet.ignore('SIGTERM')
  await puppet.write('half.txt', 'half\n')
  await engine.saw('attempt.stopping')
  await engine.kill()
  await puppet.exit(0)
  await puppet.gone()
  const run = await rig.resume()
  const { outcome } = await run.finish()
  assert.equal(run.task('a').failure?.reason, 'timeout')
  assert.deepEqual(rig.landings(outcome), [])
})

test('an engine that lets go has nothing left to do, and its process ends while the agents work', async () => {
  await using rig = await Rig.open()
  const plan = rig.plan([{ id: 'a' }])
  await using engine = new DoomedEngine(rig.top, plan, makeSettings(), { leaveAt: 'attempt.progress' })
  const puppet = await rig.stage.next('a')
  await puppet.print('at work\n')
  assert.equal(await engine.ended(), 'finished')
  assert.ok(puppet.alive)
  const run = await rig.resume()
  await puppet.deliver('a.txt')
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
})

test('an interruption is not told to the next agent as a failure of the one before', async () => {
  await using rig = await Rig.open()
  const command = rig.stage.command()
  const first = await rig.start([{ id: 'a', prompt: 'Do the thing.', retries: 1 }], { command })
  await (await rig.stage.next('a')).exit(1)
  await rig.stage.next('a')
  first.run.interrupt()
  await first.finish()
  const run = await rig.resume()
  const third = await rig.stage.next('a')
  assert.equal(third.attempt, 3)
  assert.match(third.hello.stdin, /Attempt 1 did not succeed/)
  assert.doesNotMatch(third.hello.stdin, /Attempt 2/)
  await third.deliver('a.txt')
  await run.finish()
})

test('no other run may take the worktrees of one whose engine was killed', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const puppet = await rig.stage.next('a')
  await engine.kill()
  const refused = await openRun(await workspaceAt(rig.top), { plan: rig.plan([{ id: 'b' }]), settings: makeSettings() })
  assert.ok(!refused.ok)
  assert.match(refused.problems[0]?.message ?? '', /no engine works on run plan-1.* 1 task ran.*espalier resume plan-1/)
  await puppet.deliver('a.txt')
  const run = await rig.resume()
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  const next = await rig.run([{ id: 'b', run: 'echo b > b' }])
  assert.equal(next.outcome.status, 'completed')
})

test('doctor finds what a killed engine left running, and ends it when asked to', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const puppet = await rig.stage.next('a')
  await engine.kill()
  const found = await diagnose({ repo: rig.top })
  assert.ok(
    found.some(({ name, state, message }) => name === 'processes' && state === 'warn' && /task a/.test(message)),
  )
  const fixed = await diagnose({ repo: rig.top, fix: true })
  assert.ok(
    fixed.some(({ name, message }) => name === 'processes' && /^ended/.test(message)),
    JSON.stringify(fixed),
  )
  assert.ok(!puppet.alive)
  assert.ok(!(await diagnose({ repo: rig.top })).some(({ name }) => name === 'processes'))
})
