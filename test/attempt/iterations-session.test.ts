// An agent that has conversations goes on with the one it had: nothing is said twice, and nothing is paid for twice.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { LIMITS } from '../../src/config.ts'
import { DoomedEngine } from '../rig/doomed-engine.ts'
import { FakeClaude } from '../rig/fake-claude.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { until } from '../rig/until.ts'

suite('iterations of a conversation', { concurrency: 3 }, () => {
  test('it is resumed with the command that failed, and counted once', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [
      { sh: 'echo bad > a.txt', calls: ['echo bad'], say: 'Written.', costUsd: 0.25, tokens: 100 },
      { sh: 'echo good > a.txt', calls: ['echo good', 'cat a.txt'], say: 'Now it is good.', costUsd: 0.5, tokens: 20 },
    ])
    const task = claude.task({ iterations: 2, verify: ['grep good a.txt'] })
    const { outcome, ...run } = await rig.run([task], claude.settings())
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    const [first, second, ...more] = await claude.called()
    assert.deepEqual(more, [])
    assert.deepEqual([first?.resumes, second?.resumes, second?.session], [false, true, first?.session])
    assert.match(first?.prompt ?? '', /^Write a\.txt\.\n\n## How you work here\n/)
    assert.match(
      second?.prompt ?? '',
      /^## You are not done yet\n\nA command .*`grep good a\.txt` exited with status 1/,
    )
    const finished = run.events.find((event) => event.type === 'attempt.finished')
    assert.ok(finished?.type === 'attempt.finished')
    assert.deepEqual(
      [finished.usage?.inputTokens, finished.usage?.outputTokens, finished.usage?.costUsd],
      [120, 2, 0.75],
    )
    assert.deepEqual(
      [finished.session?.id, finished.session?.toolCalls, finished.session?.turns],
      [first?.session, 3, 5],
    )
    assert.deepEqual([finished.iterations, finished.summary], [2, 'Now it is good.'])
  })

  test('killed while the second process works, it is taken over, and the first is counted still', async () => {
    await using rig = await Rig.open()
    const gate = rig.repository.at('gate')
    const claude = await FakeClaude.open(rig, [
      { say: 'Nothing yet.', costUsd: 0.25, tokens: 100 },
      { sh: `echo a > a.txt; until test -e '${gate}'; do sleep 0.05; done`, say: 'Done.', costUsd: 0.5, tokens: 20 },
    ])
    const plan = rig.plan([claude.task({ iterations: 2, verify: ['test -f a.txt'] })])
    await using engine = new DoomedEngine(rig.top, plan, makeSettings(claude.settings()))
    await until('the second process', async () => (await claude.called()).length === 2)
    await engine.kill()
    const run = await rig.resume()
    await writeFile(gate, '')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal((await claude.called()).length, 2)
    assert.deepEqual([outcome.costUsd, run.task('a').history[0]?.usage?.inputTokens], [0.75, 120])
    assert.equal(run.task('a').history[0]?.iterations, 2)
  })

  test('a promise at the end of a message too long to be kept counts', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [{ sh: 'echo a > a.txt', say: `${'long '.repeat(2_000)}ALL DONE` }])
    const { outcome } = await rig.run([claude.task({ completion: 'ALL DONE' })], claude.settings())
    assert.deepEqual(rig.landings(outcome), ['a/1'])
  })

  /** It goes on for ever after its calls, so that only the engine can end it. */
  const ENDLESS = 'while :; do sleep 1; done'

  test('an agent that makes the same call again and again is ended, and the next attempt is told', async () => {
    await using rig = await Rig.open()
    const calls = Array(LIMITS.repeatedCalls).fill('npm test')
    const claude = await FakeClaude.open(rig, [{ sh: `echo a > a.txt; ${ENDLESS}`, calls, say: '' }])
    const { outcome, ...run } = await rig.run([claude.task({ iterations: 3, retries: 1 })], claude.settings())
    const failure = outcome.failures[0]?.failure
    assert.equal(failure?.reason, 'agent-looping')
    assert.match(failure.message, /same call of a tool 10 times in a row/)
    const called = await claude.called()
    assert.deepEqual(
      called.map(({ resumes }) => resumes),
      [false, false],
    )
    assert.match(called[1]?.prompt ?? '', /agent-looping/)
    assert.equal(run.run.status().tasks[0]?.history[0]?.outcome, 'failed')
  })

  test('nine times the same and then another is no circle', async () => {
    await using rig = await Rig.open()
    const nine = Array(LIMITS.repeatedCalls - 1).fill('npm test')
    const claude = await FakeClaude.open(rig, [{ sh: 'echo a > a.txt', calls: [...nine, 'ls', ...nine], say: 'Done.' }])
    const { outcome } = await rig.run([claude.task()], claude.settings())
    assert.deepEqual(rig.landings(outcome), ['a/1'])
  })

  test('tools and turns are counted over all iterations of an attempt', async () => {
    for (const limit of [{ maxToolCalls: 4 }, { maxTurns: 5 }]) {
      await using rig = await Rig.open()
      const claude = await FakeClaude.open(rig, [
        { calls: ['one', 'two', 'three'], say: 'First.' },
        { calls: ['four', 'five'], sh: `echo a > a.txt; ${ENDLESS}`, say: '' },
      ])
      const task = claude.task({ iterations: 2, verify: ['test -f a.txt'], ...limit })
      const { outcome } = await rig.run([task], claude.settings())
      const failure = outcome.failures[0]?.failure
      assert.equal(failure?.reason, 'agent-looping')
      assert.match(failure.message, new RegExp(`more than ${Object.values(limit)}.*\`${Object.keys(limit)}:\``))
    }
  })

  test('an engine that dies while it ends such an agent: the next one comes to the same end', async () => {
    await using rig = await Rig.open()
    const ready = rig.repository.at('ready')
    const sh = `trap '' TERM; echo a > a.txt; : > '${ready}'; ${ENDLESS}`
    // Asked to end for its calls, it still comes to its script.
    const told = rig.repository.at('told')
    const play = { calls: ['one', 'two'], sh, say: '', told, until: told }
    const claude = await FakeClaude.open(rig, [play])
    const settings = makeSettings(claude.settings({ graceMs: 60_000 }))
    await using engine = new DoomedEngine(rig.top, rig.plan([claude.task({ maxToolCalls: 1 })]), settings)
    await until('the agent to be at work', () => existsSync(ready))
    await engine.kill()
    const run = await rig.resume({ graceMs: 200 })
    const { outcome } = await run.finish()
    assert.equal(outcome.failures[0]?.failure.reason, 'agent-looping')
    assert.deepEqual(run.processes('a', 1), [])
    assert.equal((await claude.called()).length, 1)
    assert.ok(!existsSync(join(rig.top, 'a.txt')))
  })
})
