// An agent whose work does not pass is asked to go on, in the same worktree, as often as its task lets it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readLog } from '../../src/index.ts'
import type { TaskDraft } from '../rig/plan.ts'
import { Rig, type Started } from '../rig/rig.ts'
import type { Puppet } from '../rig/stage.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

const WORK = { id: 'a', prompt: 'Write a.txt.', iterations: 3 }

async function begin(rig: Rig, task: Partial<TaskDraft> = {}, settings = {}): Promise<Started> {
  return rig.start([{ ...WORK, ...task }], { command: rig.stage.command(), ...settings })
}

async function nextOf(rig: Rig, iteration: number): Promise<Puppet> {
  const puppet = await rig.stage.next('a')
  assert.deepEqual([puppet.attempt, puppet.hello.env.ESPALIER_ITERATION], [1, String(iteration)])
  return puppet
}

suite('iterations', { concurrency: 3 }, () => {
  test('what fails its check is worked on until it passes, and lands as one', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['test -f a.txt', 'echo "looking at it"; grep good a.txt'] })
    const first = await nextOf(rig, 1)
    assert.match(first.hello.stdin, /^Write a\.txt\.\n\n## How you work here\n/)
    await first.print('{"type":"usage","inputTokens":5,"costUsd":0.25}\n')
    await first.deliver('a.txt', 'bad\n')
    const second = await nextOf(rig, 2)
    assert.match(second.hello.stdin, /^Write a\.txt\.\n\n## How you work here\n[\s\S]*\.\n\n## You are not done yet\n/)
    assert.match(
      second.hello.stdin,
      /`echo "looking at it"; grep good a\.txt` exited with status 1:\n {4}looking at it\n/,
    )
    assert.equal(await second.sh('cat "$ESPALIER_PROMPT_FILE"'), second.hello.stdin.trimEnd())
    assert.equal(await second.sh('cat a.txt'), 'bad')
    await second.print('{"type":"usage","inputTokens":2,"costUsd":0.5}\n')
    await second.deliver('a.txt', 'good\n')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal(rig.landedFile(outcome, 'a.txt'), 'good')
    const [attempt] = run.task('a').history
    assert.deepEqual([attempt?.iterations, attempt?.usage?.inputTokens, outcome.costUsd], [2, 7, 0.75])
    assert.deepEqual(run.processes('a', 1), [])
  })

  test('after the last iteration the attempt has failed, and the work of all of them is kept', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { iterations: 2, verify: ['false'] })
    await (await nextOf(rig, 1)).deliver('one.txt')
    await (await nextOf(rig, 2)).deliver('two.txt')
    const { outcome } = await run.finish()
    assert.equal(outcome.failures[0]?.failure.reason, 'verify-failed')
    assert.equal(
      rig.git('ls-tree', '--name-only', `refs/espalier/${run.id}/failed/a/1`, 'one.txt', 'two.txt'),
      'one.txt\ntwo.txt',
    )
    assert.equal(rig.stage.all.length, 2)
  })

  test('what a check wrote, deleted or committed is no work, and the agent does not find it', async () => {
    await using rig = await Rig.open({ files: { 'kept.txt': 'kept\n', '.gitignore': 'built\n' } })
    const deeds = [
      'echo spoilt > a.txt; rm kept.txt; mkdir -p new; echo x > new/made.txt; echo made.txt >> .gitignore; echo b > built',
      'git add -A; git commit -qm "by the check"',
      'grep -q second b.txt',
    ]
    const run = await begin(rig, { verify: [deeds.join('; ')] })
    const first = await nextOf(rig, 1)
    await first.sh('echo mine > committed.txt; git add -A; git commit -qm mine')
    await first.deliver('a.txt')
    const second = await nextOf(rig, 2)
    assert.equal(
      await second.sh('cat a.txt kept.txt committed.txt; ls'),
      'a\nkept\nmine\na.txt\nbuilt\ncommitted.txt\nkept.txt',
    )
    assert.equal(await second.sh('cat .gitignore'), 'built')
    await second.deliver('b.txt', 'second\n')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    const names = rig.git('diff', '--name-only', outcome.base, outcome.branch)
    assert.equal(names, 'a.txt\nb.txt\ncommitted.txt')
    assert.doesNotMatch(rig.git('log', '--format=%s', outcome.branch), /by the check/)
  })

  test('an agent that keeps its own repository between iterations finds it as it left it', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['test -f b.txt'] })
    const first = await nextOf(rig, 1)
    await first.sh('echo a > a.txt; git add a.txt; git commit -qm "mine, first"; echo staged > s.txt; git add s.txt')
    await first.exit()
    const second = await nextOf(rig, 2)
    assert.equal(await second.sh('git status --porcelain; git log -1 --format=%s'), 'A  s.txt\nmine, first')
    await second.deliver('b.txt')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.match(rig.git('log', '--format=%s', outcome.branch), /mine, first/)
  })

  test('an agent that has not said that it is done is asked to go on, before anything is checked', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { completion: 'ALL DONE', verify: ['test -f b.txt'] })
    const first = await nextOf(rig, 1)
    assert.match(first.hello.stdin, /word for word:\n\n {4}ALL DONE\n$/)
    await first.print('I think it is finished.\n')
    await first.deliver('a.txt')
    const second = await nextOf(rig, 2)
    assert.match(second.hello.stdin, /You ended without saying that everything is done/)
    await second.print('{"type":"outcome","summary":"b as well: ALL DONE"}\n')
    await second.deliver('b.txt')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
  })

  test('without the words it has not finished, whatever it did', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { iterations: 1, completion: 'ALL DONE' })
    await (await nextOf(rig, 1)).deliver('a.txt')
    const { outcome } = await run.finish()
    const failure = outcome.failures[0]?.failure
    assert.deepEqual(
      [failure?.reason, failure?.message],
      ['incomplete', 'its agent ended without having said `ALL DONE`'],
    )
    assert.equal(run.task('a').history[0]?.outcome, 'failed')
  })

  test('only what is unfinished goes on: an agent that failed has failed', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['false'] })
    await (await nextOf(rig, 1)).exit(1)
    assert.equal((await run.finish()).outcome.failures[0]?.failure.reason, 'agent-failed')
    assert.equal(rig.stage.all.length, 1)
  })

  test('a cancel that comes while the second works ends it, and keeps what there is', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['false'] })
    await (await nextOf(rig, 1)).deliver('one.txt')
    const second = await nextOf(rig, 2)
    await second.write('two.txt', 'two\n')
    run.run.cancel('a')
    await run.finish()
    assert.equal(second.alive, false)
    assert.equal(run.task('a').failure?.reason, 'cancelled')
    assert.equal(
      rig.git('ls-tree', '--name-only', `refs/espalier/${run.id}/failed/a/1`, 'one.txt', 'two.txt'),
      'one.txt\ntwo.txt',
    )
  })

  test('each process has a silence of its own', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['test -f b.txt'] }, { stallAfterMs: 600 })
    const first = await nextOf(rig, 1)
    const { seq } = await run.saw('attempt.stalled')
    const deliveredAt = Date.now()
    await first.deliver('a.txt')
    const second = await nextOf(rig, 2)
    const again = await run.saw('attempt.stalled', (event) => event.seq > seq)
    assert.ok(again.since >= deliveredAt - CLOCK_TICK_MS, `${deliveredAt - again.since} ms too early`)
    await second.deliver('b.txt')
    assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
  })

  test('the log has all of it, in the order it happened', async () => {
    await using rig = await Rig.open()
    const run = await begin(rig, { verify: ['echo checking one; test -f b.txt', 'echo checking two'] })
    const first = await nextOf(rig, 1)
    await first.print('first words\n')
    await first.deliver('a.txt')
    const second = await nextOf(rig, 2)
    await second.print('second words\n')
    await second.deliver('b.txt')
    await run.finish()
    const log = await readLog(await workspaceAt(rig.top), { task: 'a' })
    assert.ok(log.ok)
    const chunks: Buffer[] = []
    for await (const chunk of log.value) chunks.push(chunk)
    assert.deepEqual(Buffer.concat(chunks).toString().trimEnd().split('\n'), [
      'first words',
      '── verify-1 ──',
      'checking one',
      '── work-2 ──',
      'second words',
      '── verify-2.1 ──',
      'checking one',
      '── verify-2.2 ──',
      'checking two',
    ])
  })
})

// Not beside the others: they have the same clock.
test('the deadline holds for all iterations together', async (t) => {
  await using rig = await Rig.open()
  const run = await begin(rig, { timeoutMs: HOUR_MS, verify: ['false'] }, { stallAfterMs: 400 })
  const { deadline } = await run.saw('attempt.started')
  await (await nextOf(rig, 1)).deliver('one.txt')
  await nextOf(rig, 2)
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + HOUR_MS)
  // Its silence is reported, and whoever hears of that looks at the time.
  const finished = await run.saw('attempt.finished')
  assert.deepEqual([finished.failure?.reason, finished.iterations], ['timeout', 2])
  assert.ok(finished.at >= deadline)
  await run.finish()
})

const HOUR_MS = 3_600_000
/** File times are taken from a clock that is behind by up to this much. */
const CLOCK_TICK_MS = 10
