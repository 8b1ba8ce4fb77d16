// Hooks at work, and the notes that sessions leave behind.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { readSessionNotes } from '../../../src/engine/query/agent-sessions.ts'
import { report } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { FakeClaude } from '../../rig/fake-claude.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const CLAIMS = { write: ['src/**'], read: [] }

function folderOf(rig: Rig, attempt = 1): string {
  return join(rig.state, 'runs', 'plan-1', 'a', String(attempt))
}

async function noteOf(rig: Rig) {
  const read = await readSessionNotes(await workspaceAt(rig.top))
  assert.ok(read.ok, JSON.stringify(read))
  const [note, ...more] = read.value
  assert.ok(note)
  assert.deepEqual(more, [])
  return note
}

suite('session notes', { concurrency: 3 }, () => {
  test('a write outside its claims is denied while it works; what it did instead lands, and its note tells', async () => {
    await using rig = await Rig.open()
    const play = { writes: ['docs/a.md', 'src/a.ts'], say: 'Wrote src/a.ts.', costUsd: 0.25, tokens: 100 }
    const claude = await FakeClaude.open(rig, [play])
    const check = { verify: ['test -f src/a.ts'], decisions: ['ADR-3'], title: 'Write a.ts' }
    const { outcome } = await rig.run(
      [claude.task({ claims: CLAIMS, ...check })],
      claude.settings({ claims: 'enforce' }),
    )
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal(rig.landedFile(outcome, 'docs/a.md'), null)
    assert.ok(existsSync(join(folderOf(rig), 'work', 'heartbeat')))

    const note = await noteOf(rig)
    const [called] = await claude.called()
    assert.deepEqual(
      [note.agent, note.model, note.session, note.outcome, note.title],
      ['claude', 'claude-sonnet-4-5', called?.session, 'changed', 'Write a.ts'],
    )
    assert.equal(note.ownTranscript, join(claude.folder, `${called?.session}.jsonl`))
    assert.deepEqual([note.endReason, note.summary, note.decisions], ['other', 'Wrote src/a.ts.', ['ADR-3']])
    assert.deepEqual([note.changed, note.ownCommits], [{ paths: ['src/a.ts'], count: 1 }, 0])
    assert.deepEqual([note.checks, note.usage?.costUsd], [[{ command: 'test -f src/a.ts', passed: true }], 0.25])

    const text = await report(await workspaceAt(rig.top), { format: 'md' })
    assert.ok(text.ok)
    assert.match(text.value.text, /## Session notes\n\n### a\/1 Write a\.ts\n\nWrote src\/a\.ts\.\n\n- Agent: claude /)
    assert.match(text.value.text, /^- Checks: ✓ `test -f src\/a\.ts`$/m)
  })

  test('an agent that was denied and did nothing else has failed, and its note says of what', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [{ writes: ['docs/a.md'], say: 'I could not.' }])
    const task = claude.task({ claims: CLAIMS, verify: ['true'] })
    const { outcome } = await rig.run([task], claude.settings({ claims: 'enforce' }))
    assert.equal(outcome.failures[0]?.failure.reason, 'refused')
    const { failure, outcome: ended, checks } = await noteOf(rig)
    assert.deepEqual([failure?.reason, ended, checks], ['refused', 'refused', [{ command: 'true', passed: null }]])
    assert.match(failure?.message ?? '', /not allowed to use Write \(once\): docs\/a\.md/)
  })

  test('with `claims: warn` nothing is denied', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [{ writes: ['docs/a.md'], say: 'Done.' }])
    const { outcome } = await rig.run([claude.task({ claims: CLAIMS })], claude.settings({ claims: 'warn' }))
    assert.equal(rig.landedFile(outcome, 'docs/a.md'), 'docs/a.md')
  })

  test('whatever lies where the program says how its session ended, the note is made', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [{ sh: 'echo a > a.txt', say: 'Done.' }])
    await rig.run([claude.task()], claude.settings())
    const end = join(folderOf(rig), 'work', 'session-end.json')
    assert.equal((await noteOf(rig)).endReason, 'other')
    const big = JSON.stringify({ reason: 'x'.repeat(100_000) })
    for (const text of ['', '[]', '{"reason":7}', big]) {
      await writeFile(end, text)
      assert.deepEqual([(await noteOf(rig)).endReason, (await noteOf(rig)).summary], [null, 'Done.'], text.slice(0, 20))
    }
    for (const make of [`mkfifo '${end}'`, `ln -s /dev/zero '${end}'`, `mkdir '${end}'`]) {
      execFileSync('sh', ['-c', `rm -rf '${end}'; ${make}`])
      assert.equal((await noteOf(rig)).endReason, null, make)
    }
  })

  test('an agent that ends while no engine lives leaves a stub, which the next engine fills', async () => {
    await using rig = await Rig.open()
    const gate = rig.repository.at('gate')
    const sh = `echo a > a.txt; until test -e '${gate}'; do sleep 0.05; done`
    const claude = await FakeClaude.open(rig, [{ sh, say: 'Done.' }])
    await using engine = new DoomedEngine(rig.top, rig.plan([claude.task()]), makeSettings(claude.settings()))
    await until('the agent to be at work', async () => (await claude.called()).length === 1)
    await engine.kill()
    await writeFile(gate, '')
    await until('the agent to end', () => existsSync(join(folderOf(rig), 'work', 'exit')))
    const stub = await noteOf(rig)
    const [called] = await claude.called()
    assert.deepEqual([stub.session, stub.outcome, stub.summary, stub.endReason], [called?.session, null, null, 'other'])
    await (await rig.resume()).finish()
    const filled = await noteOf(rig)
    assert.deepEqual([filled.session, filled.outcome, filled.summary], [called?.session, 'changed', 'Done.'])
    assert.equal(filled.ownTranscript, stub.ownTranscript)
  })
})
