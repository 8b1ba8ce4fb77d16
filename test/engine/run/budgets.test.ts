import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import { FakeClaude } from '../../rig/fake-claude.ts'
import { Rig } from '../../rig/rig.ts'
import { fatal, type Puppet } from '../../rig/stage.ts'

const bill = (puppet: Puppet, costUsd: number) => puppet.print(`${JSON.stringify({ type: 'usage', costUsd })}\n`)

suite('budgets, with agents that run', { concurrency: true }, () => {
  test('what agents tell while they work uses the budget up: they are ended, and go on with more', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a'] }], {
      budgetUsd: 2,
      onBudget: 'stop',
    })
    const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
    await bill(a, 1.7)
    const warned = await run.saw('budget.reached', ({ share }) => share === 80)
    assert.deepEqual([warned.scope, warned.budgetUsd, warned.spentUsd], ['run', 2, 1.7])
    assert.equal(run.task('a').history[0]?.usage?.costUsd, 1.7)
    await fatal(bill(b, 0.5))
    const { outcome } = await run.finish()
    assert.deepEqual([a.alive, b.alive], [false, false])
    assert.equal(outcome.status, 'waiting')
    assert.equal(outcome.costUsd, 2.2, 'counted once')
    assert.deepEqual(run.task('a').outcome, 'budget')
    assert.match(run.task('a').history[0]?.failure?.message ?? '', /budget of the run .*resume --budget-usd/)

    const more = await rig.resume({ budgetUsd: 9 })
    for (const id of ['a', 'b', 'c']) await (await rig.stage.next(id)).deliver(`${id}.txt`)
    const rest = await more.finish()
    assert.equal(rest.outcome.status, 'completed')
    assert.equal(rest.outcome.costUsd, 2.2)
    assert.deepEqual(
      rest.all('budget.reached').map(({ share }) => share),
      [80, 100],
      'of 9 dollars too little is spent to tell of it',
    )
  })

  test('a task that has used up its own budget is ended and not tried again', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a', budgetUsd: 1, retries: 3 }])
    const a = await rig.stage.next('a')
    await a.write('a.txt', 'half')
    await fatal(bill(a, 1.1))
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'failed')
    const { status, failure, history } = run.task('a')
    assert.deepEqual([status, failure?.reason, history.length], ['failed', 'budget', 1])
    assert.match(failure?.message ?? '', /budget of task a \(\$1\.00\) is used up/)
    assert.ok(history[0]?.commit, 'its work is kept')
  })

  test('work that is paid for is checked and lands, although others have used the budget up meanwhile', async () => {
    await using rig = await Rig.open()
    const tasks = [{ id: 'a', verify: [rig.stage.command('verify')] }, { id: 'b' }]
    const run = await rig.start(tasks, { budgetUsd: 2, onBudget: 'stop' })
    const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
    await bill(a, 1)
    await a.deliver('a.txt')
    const check = await rig.stage.next('a', 'verify')
    await fatal(bill(b, 1.5))
    await run.saw('attempt.finished', ({ task }) => task === 'b')
    await check.exit()
    const { outcome } = await run.finish()
    assert.deepEqual(run.statuses(), { a: 'landed', b: 'ready' })
    assert.equal(outcome.costUsd, 2.5)
  })

  test('a budget given with resume stays for the next one', async () => {
    await using rig = await Rig.open()
    const bills = `echo '{"type":"usage","costUsd":1}'`
    const tasks = ['a', 'b', 'c'].map((id, n) => ({
      id,
      run: bills,
      needs: n === 0 ? [] : [['a', 'b', 'c'][n - 1] ?? ''],
    }))
    assert.equal((await rig.run(tasks, { budgetUsd: 1 })).outcome.costUsd, 1)
    assert.equal((await (await rig.resume({ budgetUsd: 2 })).finish()).outcome.costUsd, 2)
    const same = await (await rig.resume()).finish()
    assert.deepEqual([same.outcome.status, same.run.summary().budgets?.budgetUsd], ['waiting', 2])
    assert.equal((await (await rig.resume({ budgetUsd: null })).finish()).outcome.status, 'completed')
  })

  test('claude is told what it may spend, and its word counts', async () => {
    await using rig = await Rig.open()
    const fake = await FakeClaude.open(rig, [{ say: 'half', costUsd: 2.5, subtype: 'error_max_budget_usd' }])
    const { outcome } = await rig.run([fake.task({ budgetUsd: 2.5, retries: 2 })], fake.settings())
    const [called] = await fake.called()
    assert.deepEqual(called?.argv.slice(called.argv.indexOf('--max-budget-usd')).slice(0, 2), [
      '--max-budget-usd',
      '2.5000',
    ])
    assert.equal(outcome.status, 'failed')
    assert.equal(outcome.failures[0]?.failure.reason, 'budget')
    assert.equal(outcome.costUsd, 2.5)
  })

  test('claude is let end the answer that used the budget up: what that cost is counted', async () => {
    await using rig = await Rig.open()
    const home = rig.repository.at('home')
    const answer = (id: string, output_tokens: number, stop_reason: string | null) => {
      const usage = { input_tokens: 1_000_000, output_tokens }
      return JSON.stringify({
        type: 'assistant',
        timestamp: new Date(Date.now() + 60_000).toISOString(),
        message: { id, model: 'claude-sonnet-4-5', stop_reason, usage, content: [{ type: 'text', text: 'So' }] },
      })
    }
    const program = rig.repository.at('claude')
    const init = JSON.stringify({ type: 'system', subtype: 'init', session_id: 'c1', model: 'claude-sonnet-4-5' })
    await writeFile(program, `#!/bin/sh\necho '${init}'\necho '${answer('m1', 1, null)}'\nwhile :; do sleep 1; done\n`)
    await chmod(program, 0o755)
    const work = { kind: 'prompt', prompt: 'x', agent: 'claude', model: null } as const
    const run = await rig.start(
      [{ id: 'a', work, budgetUsd: 1, retries: 0 }],
      { agents: { claude: { program } } },
      { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home },
    )
    await run.saw('attempt.stopping')
    assert.notDeepEqual(run.processes('a', 1), [], 'it is still there')
    await mkdir(`${home}/projects/p`, { recursive: true })
    await writeFile(`${home}/projects/p/c1.jsonl`, `${answer('m1', 400, 'end_turn')}\n`)
    await run.finish()
    const [attempt] = run.task('a').history
    assert.deepEqual([attempt?.outcome, attempt?.usage?.outputTokens], ['budget', 400])
  })

  test('claude is killed before it has written an answer down: the ledger says that something is not known', async () => {
    for (const isWritten of [false, true]) {
      await using rig = await Rig.open()
      const usage = { input_tokens: 100, output_tokens: 1 }
      const answer = (stop_reason: string | null, output_tokens: number) =>
        JSON.stringify({
          ...{ type: 'assistant', session_id: 'c1', timestamp: new Date(Date.now() + 60_000).toISOString() },
          message: {
            id: 'm1',
            model: 'claude-sonnet-4-5',
            stop_reason,
            usage: { ...usage, output_tokens },
            content: [],
          },
        })
      const init = JSON.stringify({ type: 'system', subtype: 'init', session_id: 'c1', model: 'claude-sonnet-4-5' })
      const program = rig.repository.at('claude')
      const home = rig.repository.at('home')
      await mkdir(`${home}/projects/p`, { recursive: true })
      if (isWritten) await writeFile(`${home}/projects/p/c1.jsonl`, `${answer('end_turn', 400)}\n`)
      const script = `#!/bin/sh\necho '${init}'\necho '${answer(null, 1)}'\nkill -KILL $$\n`
      await writeFile(program, script, { mode: 0o755 })
      const work = { kind: 'prompt', prompt: 'x', agent: 'claude', model: null } as const
      const run = await rig.start(
        [{ id: 'a', work, retries: 0 }],
        { agents: { claude: { program } } },
        { CLAUDE_CONFIG_DIR: home },
      )
      await run.finish()
      const spent = run.task('a').history[0]?.usage
      assert.deepEqual([spent?.outputTokens, spent?.costUnknown], isWritten ? [400, undefined] : [1, true])
    }
  })

  test('a model without a price that claude has chosen by itself is told of, where there is a budget', async () => {
    const told = async (settings: LayerSettings) => {
      await using rig = await Rig.open()
      const fake = await FakeClaude.open(rig, [{ say: 'done', costUsd: 1, model: 'claude-new-9', calls: ['ls'] }])
      const run = await rig.start([fake.task()], fake.settings(settings))
      await run.finish()
      const isIt = /only when it ends: no price of its model claude-new-9 .*`prices: /
      return run.all('attempt.progress').filter(({ message }) => isIt.test(message)).length
    }
    assert.deepEqual([await told({ budgetUsd: 5 }), await told({})], [1, 0])
  })

  test('claude is told nothing where nothing is to end it', async () => {
    await using rig = await Rig.open()
    const fake = await FakeClaude.open(rig, [{ say: 'done', costUsd: 1 }])
    await rig.run([fake.task()], fake.settings({ budgetUsd: 5 }))
    const [called] = await fake.called()
    assert.equal(called?.argv.includes('--max-budget-usd'), false)
  })
})
