// Attempts without an engine: an order, a machine, and a host that only listens.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { localRunner } from '../../src/attempt/attempt.ts'
import type { AttemptHost, AttemptOrder, AttemptReport, RunningAttempt } from '../../src/attempt/attempt-order.ts'
import { stopped } from '../../src/attempt/exit-failures.ts'
import { openEngineRepository } from '../../src/git/engine/engine-repository.ts'
import { inspect } from '../../src/git/user/repository.ts'
import type { Note } from '../../src/view.ts'
import { stateFolder } from '../../src/workspace/state-folder.ts'
import { makePlan, makeSettings, type TaskDraft } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { until } from '../rig/until.ts'

class Listener implements AttemptHost {
  readonly reports: AttemptReport[] = []
  readonly said: string[] = []
  told: Note[] = []

  report(fact: AttemptReport): void {
    this.reports.push(fact)
  }

  progress(message: string): void {
    this.said.push(message)
  }

  async notes(): Promise<Note[]> {
    return this.told
  }
}

async function start(
  rig: Rig,
  draft: Partial<TaskDraft>,
  more: Partial<AttemptOrder> = {},
): Promise<{ attempt: RunningAttempt; host: Listener }> {
  const user = await inspect(rig.top)
  assert.ok(user.ok)
  const folder = stateFolder(rig.top, null)
  const engine = await openEngineRepository(folder.root, user.value)
  const [task] = makePlan([{ id: 'a', ...draft }], rig.stage.command()).tasks
  assert.ok(task)
  const settings = makeSettings({ command: rig.stage.command(), claims: 'enforce' })
  const order: AttemptOrder = {
    ...{
      kind: 'attempt',
      run: 'run',
      runBase: user.value.head,
      task,
      attempt: 1,
      token: 'f'.repeat(32),
      worker: 'local',
      slot: 1,
      base: user.value.head,
    },
    ...{
      resources: [],
      search: null,
      ...{ fresh: false, discards: false, keepFailed: false },
      resolves: null,
      interrupted: null,
      continuePrompt: null,
      continues: false,
      agent: task.work.kind === 'prompt' ? 'command' : null,
      model: null,
    },
    ...{ prompt: task.work.kind === 'prompt' ? 'Do it.' : null, templates: {}, lessons: ['l1'], granted: [] },
    ...{ budget: { tightestUsd: null, allowanceUsd: null }, settings, signOff: false, hooks: null },
    ...{ isProbe: false, spentUsd: 0, askedToStopAt: null },
    ...more,
  }
  const host = new Listener()
  const machine = { engine, folder, environment: process.env, include: [] }
  return { attempt: localRunner(machine).start(order, host), host }
}

test('its work is a commit, its checks and lessons are in the fact, and what it says is heard', async () => {
  await using rig = await Rig.open()
  const { attempt, host } = await start(rig, { prompt: 'Do it.', verify: ['test -f a.txt'] })
  const puppet = await rig.stage.next('a')
  assert.equal(puppet.hello.stdin, 'Do it.')
  await puppet.print('hello\n')
  await puppet.deliver('a.txt')
  const fact = await attempt.result
  assert.deepEqual([fact.outcome, fact.lessons, fact.checks?.map(({ passed }) => passed)], ['changed', ['l1'], [true]])
  assert.deepEqual(host.said, ['hello'])
  assert.match(fact.commit ?? '', /^[0-9a-f]{40}$/)
})

test('what its agent told the task manager decides its end', async () => {
  await using rig = await Rig.open()
  const { attempt, host } = await start(rig, { prompt: 'Do it.', verify: ['false'] })
  host.told = [{ kind: 'blocked', text: 'no key', at: 1 }]
  await (await rig.stage.next('a')).deliver('a.txt')
  const { failure, checks } = await attempt.result
  assert.deepEqual([failure?.reason, checks], ['agent-blocked', undefined])
})

test('its agent may write more once it is allowed to, also at the end', async () => {
  await using rig = await Rig.open()
  const claims = { write: ['src/**'], read: [] }
  const { attempt } = await start(rig, { prompt: 'Do it.', claims }, { granted: ['docs/**'] })
  const puppet = await rig.stage.next('a')
  await attempt.allow?.(['a.txt'])
  const file = join(rig.state, 'runs', 'run', 'a', '1', 'may-write.json')
  const write = ['src/**', 'docs/**', 'a.txt']
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { enforce: true, write })
  await puppet.deliver('a.txt')
  assert.equal((await attempt.result).failure, null)
})

test('an agent that has ended is not stopped for its silence any more; its checks can be cancelled', async () => {
  await using rig = await Rig.open()
  const { attempt } = await start(rig, { verify: [rig.stage.command('verify')] })
  await (await rig.stage.next('a')).deliver('a.txt')
  const check = await rig.stage.next('a', 'verify')
  assert.equal(await attempt.stop(stopped('stalled', { silentMs: 9 }), Date.now()), false)
  assert.ok(check.alive)
  assert.equal(await attempt.stop(stopped('cancelled'), Date.now()), true)
  const { failure, commit } = await attempt.result
  assert.equal(failure?.reason, 'cancelled')
  assert.notEqual(commit, null, 'its work is kept')
  assert.equal(check.alive, false)
})

test('what it spends is reported where a budget counts it, and a smaller allowance keeps it from being asked again', async () => {
  await using rig = await Rig.open()
  const budget = { tightestUsd: 10, allowanceUsd: 10 }
  const task = { prompt: 'Do it.', verify: ['false'], iterations: 3 }
  const { attempt, host } = await start(rig, task, { budget, spentUsd: 0.5 })
  const puppet = await rig.stage.next('a')
  await puppet.print('{"type":"usage","inputTokens":5,"costUsd":2}\n')
  await until('it to be reported', () => host.reports.length > 0)
  attempt.setBudget?.({ tightestUsd: 10, allowanceUsd: 1 })
  await puppet.deliver('a.txt')
  const { failure, iterations } = await attempt.result
  assert.deepEqual([failure?.reason, iterations], ['verify-failed', undefined])
  assert.deepEqual(host.reports, [{ type: 'attempt.spent', task: 'a', attempt: 1, costUsd: 2 }])
})

test('a check fails with what fails in front of `| tail`, not with what `head` has cut short', async () => {
  await using rig = await Rig.open()
  const verify = ['yes | head -1', '(exit 4) | tail -1 || true', 'echo a | cat', '(echo a; exit 3) 2>&1 | tail -1']
  const { attempt } = await start(rig, { prompt: 'Do it.', verify })
  await (await rig.stage.next('a')).deliver('a.txt')
  const { failure } = await attempt.result
  assert.equal(failure?.reason, 'verify-failed')
  assert.match(failure?.message ?? '', /^`\(echo a; exit 3\) 2>&1 \| tail -1` exited with status 3:\na$/)
})

test('who lets go leaves the agent at work, and the same order takes it up again', async () => {
  await using rig = await Rig.open()
  const first = await start(rig, {})
  const puppet = await rig.stage.next('a')
  first.attempt.letGo()
  await assert.rejects(first.attempt.result)
  assert.ok(puppet.alive)
  const { attempt } = await start(rig, {})
  await puppet.deliver('a.txt')
  assert.equal((await attempt.result).outcome, 'changed')
  assert.equal(rig.stage.all.length, 1)
})
