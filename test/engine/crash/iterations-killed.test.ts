// The engine dies somewhere between the first process of an agent and the checks of its last. Resumed, no process of the
// agent is started twice, nothing is paid for twice, and nothing that a check wrote has become work.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import type { Puppet } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** What is in the folder of the attempt, in the order in which it comes to be there. */
const FILES = [
  'work/exit',
  'snapshot.json',
  'verify-1/exit',
  'prompt-2.md',
  'prepared-2',
  'work-2/exit',
  'snapshot-2.json',
  'verify-2.1/exit',
]

suite('the engine dies as soon as this is there', { concurrency: 3 }, () => {
  for (const file of FILES) {
    test(file, async () => {
      await using rig = await Rig.open()
      const ran = rig.repository.at('ran')
      const command = [
        `echo $ESPALIER_ITERATION >> '${ran}'`,
        'ls > seen-$ESPALIER_ITERATION.txt; echo $ESPALIER_ITERATION > a.txt',
        `echo '{"type":"usage","inputTokens":1,"costUsd":0.5}'`,
      ]
      const task = {
        id: 'a',
        prompt: 'x',
        iterations: 3,
        verify: ['echo x > made.txt; grep 2 a.txt && echo y > a.txt'],
      }
      const settings = makeSettings({ command: command.join('; ') })
      await using engine = new DoomedEngine(rig.top, rig.plan([task]), settings)
      await until(file, () => existsSync(join(rig.state, 'runs', 'plan-1', 'a', '1', file)))
      await engine.kill()
      if ((await look(rig)).resumable) await (await rig.resume()).finish()
      const view = await look(rig)
      assert.equal(await readFile(ran, 'utf8'), '1\n2\n')
      assert.deepEqual(rig.landings(view), ['a/1'])
      assert.deepEqual([view.usage.costUsd, view.usage.inputTokens, view.tasks[0]?.history[0]?.iterations], [1, 2, 2])
      assert.equal(rig.git('diff', '--name-only', view.base, view.branch), 'a.txt\nseen-1.txt\nseen-2.txt')
      assert.equal(rig.landedFile(view, 'a.txt'), '2')
      assert.doesNotMatch(rig.landedFile(view, 'seen-2.txt') ?? '', /made/)
    })
  }
})

async function look(rig: Rig) {
  const view = await readRun(await workspaceAt(rig.top))
  assert.ok(view.ok && view.value, JSON.stringify(view))
  return view.value
}

suite('the engine dies', { concurrency: 3 }, () => {
  test('while the second process works: it goes on, and what the first had done is there', async () => {
    await using rig = await Rig.open()
    await using engine = doomed(rig, { verify: ['echo made > made.txt; test -f b.txt'] })
    await (await rig.stage.next('a')).deliver('a.txt')
    const second = await rig.stage.next('a')
    await engine.kill()
    const run = await rig.resume()
    await second.print('still here\n')
    await run.saw('attempt.progress', ({ message }) => message === 'still here')
    assert.ok(second.alive)
    await second.deliver('b.txt')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal(rig.git('diff', '--name-only', outcome.base, outcome.branch), 'a.txt\nb.txt')
    assert.deepEqual(workers(rig), ['1', '2'])
  })

  test('while the first is checked: the check is made again on what the agent left', async () => {
    await using rig = await Rig.open()
    await using engine = doomed(rig, { verify: [rig.stage.command('verify')] })
    await (await rig.stage.next('a')).deliver('a.txt')
    const check = await rig.stage.next('a', 'verify')
    await check.sh('echo spoilt > a.txt; echo made > made.txt')
    await engine.kill()
    const run = await rig.resume()
    const again = await rig.stage.next('a', 'verify')
    assert.equal(check.alive, false)
    assert.equal(await again.sh('cat a.txt; ls made.txt 2>/dev/null || echo none'), 'a\nnone')
    await again.write('made.txt', 'made\n')
    await again.exit(1)
    const second = await rig.stage.next('a')
    assert.equal(await second.sh('ls made.txt 2>/dev/null || echo none'), 'none')
    await second.deliver('b.txt')
    await (await rig.stage.next('a', 'verify')).exit()
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.deepEqual(workers(rig), ['1', '2'])
  })

  test('between asking the agent to go on and starting it: it is started', async () => {
    await using rig = await Rig.open()
    const verify = `echo checked >> '${rig.repository.at('checks')}'; test -f b.txt`
    await using engine = doomed(rig, { verify: [verify] })
    await (await rig.stage.next('a')).deliver('a.txt')
    await neverStarted(rig, engine, await rig.stage.next('a'))
    const run = await rig.resume()
    const second = await rig.stage.next('a')
    assert.equal(second.hello.env.ESPALIER_ITERATION, '2')
    assert.match(second.hello.stdin, /You are not done yet/)
    assert.equal(await readFile(rig.repository.at('checks'), 'utf8'), 'checked\n', 'its verdict was known')
    await second.deliver('b.txt')
    assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
  })

  test('between a check that failed and asking the agent to go on: it is checked again, and then asked', async () => {
    await using rig = await Rig.open()
    await using engine = doomed(rig, { verify: ['echo made > made.txt; test -f b.txt'] })
    await (await rig.stage.next('a')).deliver('a.txt')
    const lost = await rig.stage.next('a')
    await neverStarted(rig, engine, lost)
    await rm(join(dirname(rig.workOf(lost)), 'prepared-2'))
    const run = await rig.resume()
    const second = await rig.stage.next('a')
    assert.equal(second.hello.env.ESPALIER_ITERATION, '2')
    await second.deliver('b.txt')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal(rig.git('diff', '--name-only', outcome.base, outcome.branch), 'a.txt\nb.txt')
  })

  test('and the deadline passes before the second is started: that is its end', async () => {
    await using rig = await Rig.open()
    await using engine = doomed(rig, { verify: ['false'], timeoutMs: 6_000 })
    await (await rig.stage.next('a')).deliver('a.txt')
    const { deadline } = await engine.saw('attempt.started')
    await neverStarted(rig, engine, await rig.stage.next('a'))
    await until('the deadline to pass', () => Date.now() > deadline)
    const run = await rig.resume()
    const { outcome } = await run.finish()
    assert.equal(outcome.failures[0]?.failure.reason, 'timeout')
    assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a')
  })
})

function doomed(rig: Rig, task: Partial<TaskDraft>): DoomedEngine {
  const settings = makeSettings({ command: rig.stage.command() })
  return new DoomedEngine(rig.top, rig.plan([{ id: 'a', prompt: 'Do it.', iterations: 3, ...task }]), settings)
}

/** As if the engine had died before the supervisor of this puppet came to write its name. */
async function neverStarted(rig: Rig, engine: DoomedEngine, puppet: Puppet): Promise<void> {
  await engine.kill()
  await rig.loseSupervisor(puppet)
  const work = rig.workOf(puppet)
  for (const name of await readdir(work)) await rm(join(work, name))
}

function workers(rig: Rig): (string | undefined)[] {
  return rig.stage.all.flatMap(({ hello }) => (hello.role === 'work' ? [hello.env.ESPALIER_ITERATION] : []))
}
