// Sessions, transcripts, what was spent and where a commit comes from, in whole runs with a program that speaks the
// protocol of an agent.

import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Trace } from '../../../src/engine/query/origin-of-work.ts'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { landRun, openRun, readLog, readRun, readSessions, readTranscript, report, trace } from '../../../src/index.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const recorded = (agent: string) =>
  fileURLToPath(new URL(`../../agents/transcripts/${agent}-success.jsonl`, import.meta.url))
const RECORDED = recorded('claude')
const COST = 0.0151974

/** Leaves two commits and a rest, and prints what was recorded. */
const WORK = `git config user.name Bot; git config user.email bot@example.com
for n in 1 2; do echo $ESPALIER_TASK $ESPALIER_ATTEMPT > $ESPALIER_TASK-$n.txt; git add -A; git commit -qm "$ESPALIER_TASK $n"; done
echo rest > $ESPALIER_TASK-rest.txt`

function fake(rig: Rig, agent: 'claude' | 'gemini') {
  const program = join(rig.repository.path, `fake-${agent}`)
  writeFileSync(program, `#!/bin/sh\n${WORK}\ncat '${recorded(agent)}'\n`)
  chmodSync(program, 0o755)
  return { agents: { [agent]: { program } } }
}

const work = { kind: 'prompt', prompt: 'Write hello.txt.', agent: 'claude', model: null } as const

async function text(log: Awaited<ReturnType<typeof readLog>>): Promise<string> {
  assert.ok(log.ok, JSON.stringify(log))
  const chunks: Buffer[] = []
  for await (const chunk of log.value) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function traced(rig: Rig, of: string): Promise<Trace> {
  const found = await trace(await workspaceAt(rig.top), { of })
  assert.ok(found.ok, JSON.stringify(found))
  return found.value
}

test('a run with an agent: its sessions, transcript, spending and trace', async () => {
  await using rig = await Rig.open()
  const verify = ['test "$ESPALIER_ATTEMPT" = 2']
  const plan = rig.plan([
    { id: 'hello', work, epic: 'greet', verify, retries: 1, decisions: ['ADR-3', 'ADR-12'] },
    { id: 'plain', run: 'echo plain > plain.txt' },
    { id: 'bad', work, verify: ['false'], land: false },
  ])
  plan.objective = 'Greet everybody'
  plan.epics = [{ id: 'greet', title: 'Greetings', needs: [], decisions: ['ADR-3'] }]
  const settings = makeSettings(fake(rig, 'claude'))
  const opened = await openRun(await workspaceAt(rig.top), { plan, settings, environment: process.env })
  assert.ok(opened.ok, JSON.stringify(opened))
  {
    await using run = opened.value
    assert.deepEqual((await run.execute()).status, 'failed')
  }

  const repo = rig.top
  const sessions = await readSessions(await workspaceAt(repo))
  assert.ok(sessions.ok)
  assert.deepEqual(
    sessions.value.map(({ task, attempt, outcome }) => `${task}/${attempt} ${outcome}`),
    ['hello/1 failed', 'hello/2 changed', 'bad/1 failed'],
  )
  const [, second] = sessions.value
  assert.ok(second)
  const byStart = sessions.value.toSorted((a, b) => a.startedAt - b.startedAt)
  assert.deepEqual(
    byStart.map(({ sessionNumber, sessionType }) => [sessionNumber, sessionType]),
    [1, 2, 3].map((number) => [number, 'coding']),
  )
  const { startedAt, finishedAt, transcript, usage, sessionNumber: _, sessionType: __, ...told } = second
  assert.deepEqual(told, {
    ...{ run: 'plan-1', task: 'hello', attempt: 2, agent: 'claude', model: 'claude-sonnet-4-5' },
    ...{ session: '47f2c604-2393-4df3-ae1a-a5ef2f97c26e', outcome: 'changed', turns: 3, messages: 3, toolCalls: 2 },
  })
  assert.ok(finishedAt !== null && finishedAt >= startedAt)
  assert.deepEqual([usage?.outputTokens, usage?.costUsd], [39, COST])
  assert.equal(transcript.map((file) => readFileSync(file, 'utf8')).join(''), readFileSync(RECORDED, 'utf8'))

  const read = await text(await readTranscript(await workspaceAt(repo), { task: 'hello' }))
  assert.match(read, /^ {2}✓ Write \/repo\/hello.txt → File created.*\n {2}✓ Bash cat hello.txt → hello\n\nI wrote/)
  const total = '3 turns, 2 tool calls, 8,856 tokens in \\(50% cached\\), 39 out, \\$0.0152'
  assert.match(read, new RegExp(`\\n── verify-1 ──\\n── changed, ${total} ──\\n$`))
  assert.equal(await text(await readTranscript(await workspaceAt(repo), { task: 'hello', follow: true })), read)
  assert.equal(await text(await readTranscript(await workspaceAt(repo), { task: 'plain' })), '── changed ──\n')
  assert.equal(await text(await readLog(await workspaceAt(repo), { task: 'plain' })), '')

  const view = await readRun(await workspaceAt(repo))
  assert.ok(view.ok)
  const { spending } = view.value ?? assert.fail()
  const cents = (usd = 0) => Math.round(usd * 1e7)
  assert.equal(cents(spending?.run.usage.costUsd), cents(3 * COST))
  assert.equal(cents(spending?.run.notLanded.costUsd), cents(2 * COST))
  assert.deepEqual([spending?.models[0]?.name, spending?.epics[0]?.name], ['claude-sonnet-4-5', 'greet'])
  const written = await report(await workspaceAt(repo), { format: 'md' })
  assert.ok(written.ok)
  for (const part of ['Objective: Greet everybody', '| model | claude-sonnet-4-5 | $0.0456 |', '- ADR-3: epic greet'])
    assert.ok(written.value.text.includes(part), part)

  const { tasks } = await traced(rig, 'hello')
  const [hello] = tasks
  assert.deepEqual(
    [hello?.objective, hello?.epic],
    ['Greet everybody', { id: 'greet', title: 'Greetings', decisions: ['ADR-3'] }],
  )
  assert.deepEqual(
    hello?.attempts.map(({ outcome, session, commits }) => [
      outcome,
      session?.agent,
      commits.map((one) => one.subject),
    ]),
    [
      ['failed', 'claude', ['hello 1', 'hello 2', 'do hello']],
      ['changed', 'claude', ['hello 1', 'hello 2', 'do hello']],
    ],
  )
  const trailers = '--format=%(trailers:key=Espalier-Decision,valueonly,separator=%x20)'
  assert.equal(rig.git('log', '-1', trailers, hello?.landing?.commit ?? ''), 'ADR-3 ADR-12')

  // Work that never landed is known too.
  const lost = tasks[0]?.attempts[0]?.commits[0]?.commit ?? ''
  const { commit } = await traced(rig, lost.slice(0, 12))
  assert.deepEqual([commit?.part, commit?.attempt], ['work', 1])
})

test('what an agent said last stands before what checks it, also where messages come in pieces', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', work: { ...work, agent: 'gemini' }, verify: ['echo checked'] }], fake(rig, 'gemini'))
  const read = await text(await readTranscript(await workspaceAt(rig.top), { task: 'a' }))
  assert.match(read, /\n\nI wrote hello\.txt\.\n\n── verify-1 ──\nchecked\n── changed, .* ──\n$/)
})

test('how an attempt ended stands on a line of its own, also after output without a last newline', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'printf half > a.txt; printf half', verify: ['printf checked'] }])
  const workspace = await workspaceAt(rig.top)
  assert.equal(
    await text(await readTranscript(workspace, { task: 'a' })),
    'half\n── verify-1 ──\nchecked\n── changed ──\n',
  )
  assert.equal(await text(await readLog(workspace, { task: 'a' })), 'half\n── verify-1 ──\nchecked')
})

for (const merge of ['regular', 'squash', 'rebase'] as const) {
  test(`${merge}: every commit on the branch, and every commit of an agent, leads to its task`, async () => {
    await using rig = await Rig.open()
    const run = await rig.run(
      [
        { id: 'alone', run: WORK },
        { id: 'one', run: WORK, epic: 'e', isolation: 'epic', needs: ['alone'] },
        { id: 'two', run: WORK, epic: 'e', isolation: 'epic' },
      ],
      { landing: { merge } },
    )
    const { base, branch } = run.outcome
    const owner = async (commit: string) => {
      const found = await traced(rig, commit)
      return `${found.commit?.part} ${found.tasks.map(({ task }) => task).join(' ')}`
    }
    const chain = rig.git('rev-list', '--first-parent', '--reverse', `${base}..${branch}`).split('\n')
    const pieces = (tasks: string, count: number) => Array.from({ length: count }, () => `landed ${tasks}`)
    const expected =
      merge === 'rebase'
        ? [...pieces('alone', 2), 'landing alone', ...pieces('one two', 5), 'landing one two']
        : ['landing alone', 'landing one two']
    assert.deepEqual(await Promise.all(chain.map(owner)), expected)

    for (const id of ['alone', 'one', 'two']) {
      const { tasks } = await traced(rig, id)
      assert.deepEqual(tasks[0]?.landing?.tasks, id === 'alone' ? ['alone'] : ['one', 'two'])
      assert.equal(tasks[0]?.landing?.commits.length, merge !== 'rebase' ? 1 : id === 'alone' ? 3 : 6)
      const [first, , rest] = tasks[0]?.attempts[0]?.commits ?? []
      assert.ok(first && rest)
      assert.deepEqual([await owner(first.commit), await owner(rest.commit)], [`work ${id}`, `work ${id}`])
    }
    // A run that began with them has them only from there.
    rig.git('merge', '-q', '--ff-only', branch)
    await rig.run([{ id: 'later', run: 'echo later > later.txt' }])
    assert.equal(await owner(chain[0] ?? ''), expected[0])
    assert.equal(await owner(chain.at(-1) ?? ''), 'landing one two')
  })
}

test('a commit that was picked is known by its trailers, also when its run is gone', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: WORK, decisions: ['ADR-12'] }], { landing: { merge: 'squash' } })
  rig.git('commit', '-q', '--allow-empty', '-m', 'something of my own')
  rig.git('cherry-pick', 'espalier/plan-1')
  const copy = await traced(rig, 'HEAD')
  assert.deepEqual([copy.commit?.part, copy.tasks[0]?.task], ['copy', 'a'])

  const unknown = await trace(await workspaceAt(rig.top), { of: 'HEAD~1' })
  assert.ok(!unknown.ok)
  assert.match(unknown.problems[0]?.message ?? '', /comes from no run that is kept here/)
  const missing = await trace(await workspaceAt(rig.top), { of: 'no-such-thing' })
  assert.ok(!missing.ok)
  assert.match(missing.problems[0]?.message ?? '', /run plan-1 has no task no-such-thing, and .* no such commit/)

  assert.ok((await landRun(await workspaceAt(rig.top))).ok)
  await rig.run([{ id: 'b', run: 'true' }])
  assert.ok((await cleanState(await workspaceAt(rig.top), { run: 'plan-1' })).ok)
  const gone = await traced(rig, 'HEAD^1')
  assert.deepEqual(gone.tasks, [])
  assert.deepEqual(gone.commit?.trailers, {
    ...{ run: 'plan-1', tasks: [{ task: 'a', attempt: 1 }], decisions: ['ADR-12'] },
  })
})
