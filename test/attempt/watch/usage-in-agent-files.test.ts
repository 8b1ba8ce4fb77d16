// What a program has written down of its conversation counts where its output does not tell: a puppet plays Codex, and
// opencode.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import { textIn } from '../../../src/files/if-there.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { fatal, type Puppet } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'

const SESSION = '01a1dec7-eae8-7840-8caf-51ef081f72be'
const work = { kind: 'prompt', prompt: 'Do the thing.', agent: 'codex', model: null } as const

test('killed before it could tell what it used, it is known all the same, and what it cost', async () => {
  await using rig = await Rig.open()
  const { settings, environment } = await codexOf(rig)
  const run = await rig.start([{ id: 'a', work }], settings, environment)
  const puppet = await rig.stage.next('a')
  await begin(rig, puppet)
  process.kill(puppet.hello.pid, 'SIGKILL')
  await run.finish()
  const [attempt] = run.task('a').history
  assert.equal(attempt?.outcome, 'crashed')
  assert.deepEqual([attempt.usage?.inputTokens, attempt.usage?.outputTokens], [1_000_000, 100_000])
  assert.equal(attempt.usage?.costUsd, 2.25)
})

test('out of money by what it has written down, it is ended while it works', async () => {
  await using rig = await Rig.open()
  const { settings, environment } = await codexOf(rig)
  const run = await rig.start([{ id: 'a', work, budgetUsd: 2, retries: 1 }], settings, environment)
  await fatal(begin(rig, await rig.stage.next('a')))
  await run.finish()
  const history = run.task('a').history.map(({ outcome, usage }) => [outcome, usage?.costUsd])
  assert.deepEqual(history, [['budget', 2.25]])
})

for (const { chosen, costUsd, unknown } of [
  { chosen: 'gpt-5-codex', costUsd: 2.25, unknown: undefined },
  { chosen: 'of-no-price', costUsd: 0, unknown: true },
] as const) {
  test(`codex chose ${chosen} itself: that is what it costs`, async () => {
    await using rig = await Rig.open()
    const { settings, environment } = await codexOf(rig, {})
    const run = await rig.start([{ id: 'a', work }], settings, environment)
    const puppet = await rig.stage.next('a')
    await begin(rig, puppet, chosen)
    process.kill(puppet.hello.pid, 'SIGKILL')
    const { outcome } = await run.finish()
    const [attempt] = run.task('a').history
    assert.equal(attempt?.session?.model, chosen)
    assert.deepEqual([attempt.usage?.costUsd, attempt.usage?.costUnknown], [costUsd, unknown])
    const told = unknown ? null : costUsd
    assert.deepEqual([outcome.costUsd, outcome.batches[0]?.costUsd], [told, told], 'unknown is not $0')
  })
}

test('a budget counts what a model costs that codex chose itself', async () => {
  await using rig = await Rig.open()
  const { settings, environment } = await codexOf(rig, {})
  const run = await rig.start([{ id: 'a', work, budgetUsd: 2, retries: 1 }], settings, environment)
  await fatal(begin(rig, await rig.stage.next('a'), 'gpt-5-codex'))
  await run.finish()
  assert.deepEqual(
    run.task('a').history.map(({ outcome }) => outcome),
    ['budget'],
  )
})

test('what subagents used and nobody can find is told, not left out', async () => {
  await using rig = await Rig.open()
  const program = rig.repository.at('opencode')
  await writeFile(program, `#!/bin/sh\n${rig.stage.command()}\n`, { mode: 0o755 })
  const opencode = { ...work, agent: 'opencode' }
  const environment = { ...process.env, HOME: rig.repository.at('home'), XDG_DATA_HOME: '' }
  const run = await rig.start(
    [{ id: 'a', work: opencode, allowNoChange: true }],
    { agents: { opencode: { program } } },
    environment,
  )
  const puppet = await rig.stage.next('a')
  const line = (type: string, part: object) => puppet.print(`${JSON.stringify({ type, sessionID: 'ses_1', part })}\n`)
  await line('tool_use', { tool: 'task', state: { status: 'completed', metadata: { sessionId: 'ses_2' } } })
  await line('step_finish', { reason: 'stop', cost: 0.5, tokens: { input: 10, output: 1 } })
  await puppet.exit(0)
  await run.finish()
  const [attempt] = run.task('a').history
  assert.match(attempt?.summary ?? '', /what its subagents used is not counted/)
  assert.equal(attempt?.usage?.costUsd, 0.5)
})

test('its engine is killed while it works again: what it used before and since is counted once', async () => {
  await using rig = await Rig.open()
  const [program, gate, calls] = [rig.repository.at('codex'), rig.repository.at('gate'), rig.repository.at('calls')]
  const rollout = rolloutIn(rig)
  await mkdir(dirname(rollout), { recursive: true })
  const record = '{"type":"token_usage_record","timestamp":"%s","payload":{"thread_token_usage":%s}}\\n'
  const script = [
    `#!/bin/sh\necho call >> '${calls}'\nsleep 0.1`,
    `usage=$(test "$(wc -l < '${calls}')" = 1 && echo '{"input_tokens":1000}' || echo '{"input_tokens":3000}')`,
    `printf '${record}' "$(date -u +%FT%T.%3NZ)" "$usage" >> '${rollout}'`,
    `echo '{"type":"thread.started","thread_id":"${SESSION}"}'`,
    `if test "$usage" = '{"input_tokens":3000}'; then echo a > a.txt; until test -e '${gate}'; do sleep 0.05; done; fi`,
    `echo '{"type":"turn.completed","usage":'"$usage"'}'\n`,
  ]
  await writeFile(program, script.join('\n'), { mode: 0o755 })
  const env = { CODEX_HOME: rig.repository.at('home') }
  const plan = rig.plan([{ id: 'a', work, env, iterations: 2, verify: ['test -f a.txt'] }])
  await using engine = new DoomedEngine(rig.top, plan, makeSettings({ agents: { codex: { program } } }))
  await until('the second process', () => textIn(rollout).split('\n').length === 3)
  await engine.kill()
  const run = await rig.resume()
  await writeFile(gate, '')
  await run.finish()
  const [attempt] = run.task('a').history
  assert.deepEqual([attempt?.iterations, attempt?.usage?.inputTokens], [2, 3000])
})

async function codexOf(
  rig: Rig,
  model: { model?: string } = { model: 'gpt-5-codex' },
): Promise<{ settings: LayerSettings; environment: NodeJS.ProcessEnv }> {
  const program = rig.repository.at('codex')
  await writeFile(program, `#!/bin/sh\n${rig.stage.command()}\n`, { mode: 0o755 })
  const settings = { agents: { codex: { program, ...model } } }
  return { settings, environment: { ...process.env, CODEX_HOME: rig.repository.at('home') } }
}

function rolloutIn(rig: Rig): string {
  return join(rig.repository.at('home'), 'sessions', '2026', '11', '15', `rollout-${SESSION}.jsonl`)
}

/** It has had an answer, and says only that it has begun. */
async function begin(rig: Rig, puppet: Puppet, model?: string): Promise<void> {
  const path = rolloutIn(rig)
  const thread_token_usage = { input_tokens: 1_000_000, output_tokens: 100_000 }
  await mkdir(dirname(path), { recursive: true })
  const turn = { type: 'turn_context', payload: { model } }
  const record = { type: 'token_usage_record', payload: { thread_token_usage } }
  await writeFile(path, `${JSON.stringify(turn)}\n${JSON.stringify(record)}\n`)
  await puppet.print(`${JSON.stringify({ type: 'thread.started', thread_id: SESSION })}\n`)
}
