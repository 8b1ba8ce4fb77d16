// What agents noticed and the notes of their sessions, in every format.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionNote } from '../../../src/engine/query/agent-sessions.ts'
import { factsOf, type ReportInput } from '../../../src/reports/facts/run.ts'
import { renderJson } from '../../../src/reports/json.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { renderNote } from '../../../src/reports/sections/notes.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import type { Note } from '../../../src/view.ts'
import { planOf, START, taskOf, viewOf } from '../sample.ts'

const NASTY = '<b onclick="x">|\u001b[31m`y'

function noteOf(more: Partial<SessionNote> = {}): SessionNote {
  return {
    ...{
      run: 'shop-1',
      task: 'schema',
      attempt: 2,
      title: 'Add tables',
      agent: 'claude',
      model: 'opus',
      session: 's-1',
      sessionNumber: 2,
      sessionType: 'coding',
    },
    ...{ startedAt: START, finishedAt: START + 48_000, outcome: 'changed', turns: 3, messages: 3, toolCalls: 2 },
    ...{ usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5, costUsd: 1 }, transcript: ['/runs/output.aaa'] },
    ...{ ownTranscript: '/claude/s-1.jsonl', endReason: 'other', failure: null, summary: 'The tables are there.' },
    ...{ changed: { paths: ['db/a.sql'], count: 1 }, diff: { files: 1, insertions: 4, deletions: 2 } },
    ...{ commit: 'a'.repeat(40), ownCommits: 1, decisions: ['ADR-3'], notes: [], asked: [] },
    checks: [
      { command: 'npm test', passed: true },
      { command: 'npm run lint', passed: false },
      { command: 'make', passed: null },
    ],
    ...more,
  }
}

function inputOf(notes: SessionNote[], told: Note[] = []): ReportInput {
  const view = viewOf([taskOf({ id: 'schema', history: [{ notes: told }] })])
  return { view, plan: planOf([{ id: 'schema' }]), logTails: {}, generatedAt: START, notes }
}

test('a note says what was done, how it was checked, what it cost and where it is written down', () => {
  assert.equal(
    renderNote(noteOf()),
    [
      '### schema/2 Add tables',
      '',
      'The tables are there.',
      '',
      '- Agent: claude opus',
      '- Outcome: changed after 48s',
      '- Changed: `db/a.sql` (1 file +4 -2)',
      '- Commit: `aaaaaaaa` (1 commit by the agent)',
      '- Checks: ✓ `npm test`, ✗ `npm run lint`, – `make`',
      '- Decisions: ADR-3',
      '- Used: 10 tokens in, 5 out, $1.00',
      '- Session: `s-1` (ended: other)',
      '- Transcript: `/claude/s-1.jsonl`',
      '',
    ].join('\n'),
  )
})

test('of an agent at work, and of one that tells little, it says what is known', () => {
  const nothing = { session: null, usage: null, summary: null, changed: null, diff: null, commit: null, checks: [] }
  const known = { ...nothing, model: null, ownTranscript: null, endReason: null, decisions: [], transcript: [] }
  const note = renderNote(noteOf({ ...known, finishedAt: null, outcome: null }))
  assert.equal(note, '### schema/2 Add tables\n\n- Agent: claude\n- Outcome: running\n')
  const failure = { reason: 'verify-failed' as const, message: '`npm test` exited with status 1:\nlong output' }
  const failed = renderNote(noteOf({ ...known, outcome: 'failed', failure, transcript: ['/runs/output.aaa'] }))
  assert.match(failed, /^- Outcome: failed after 48s, verify-failed: \\`npm test\\` exited with status 1$/m)
  assert.match(failed, /^- Transcript: `\/runs\/output\.aaa`$/m)
})

test('what agents noticed stands apart, what they merely told stands in the note', () => {
  const told: Note[] = [
    { kind: 'progress', text: 'half done', at: START },
    { kind: 'issue', text: 'no primary key', details: 'in orders', at: START },
    { kind: 'follow-up', text: 'rename it', at: START },
  ]
  const asked = [
    { request: 1, paths: ['docs/**'], holder: null, at: START },
    { request: 2, paths: ['api/**'], holder: 'cart', at: START },
  ]
  const input = inputOf([noteOf({ notes: told, asked })], told)
  assert.deepEqual(
    factsOf(input).noticed.map(({ task, kind, text }) => [task, kind, text]),
    [
      ['schema', 'issue', 'no primary key'],
      ['schema', 'follow-up', 'rename it'],
    ],
  )
  const text = renderMarkdown(input)
  assert.match(
    text,
    /## What agents noticed\n\n- issue, `schema`: no primary key \(in orders\)\n- follow-up, `schema`: /,
  )
  assert.match(text, /^- Reported \(progress\): half done$/m)
  assert.match(text, /^- Was given: `docs\/\*\*`\n- Was refused: `api\/\*\*`, claimed by `cart`$/m)
  const { report } = JSON.parse(renderJson(input))
  assert.deepEqual([report.notes.length, report.notes[0].session, report.noticed.length], [1, 's-1', 2])
})

test('where nobody noted anything there are no sections', () => {
  assert.doesNotMatch(renderMarkdown(inputOf([])), /What agents noticed|Session notes/)
})

test('there are never too many, and the report says how many are missing', () => {
  const many = Array.from({ length: 130 }, (_, at) => noteOf({ attempt: at + 1 }))
  const told = Array.from({ length: 130 }, (): Note => ({ kind: 'issue', text: 'x', at: START }))
  const input = { ...inputOf(many, told), notesLeftOut: 7 }
  const text = renderMarkdown(input)
  assert.equal(text.match(/^### schema\/\d+ /gm)?.length, 100)
  assert.match(text, /^And 37 more; .*sessions --notes/m)
  assert.match(text, /^And 30 more; the JSON report has all of them\.$/m)
})

test('whatever agents write is harmless', () => {
  const told: Note[] = [{ kind: 'issue', text: NASTY, details: NASTY, at: START }]
  const nasty = { title: NASTY, agent: NASTY, model: NASTY, session: NASTY, ownTranscript: NASTY, endReason: NASTY }
  const work = { summary: NASTY, decisions: [NASTY], checks: [{ command: NASTY, passed: true }], notes: told }
  const asked = [{ request: null, paths: [NASTY], holder: NASTY, at: START }]
  const failure = { reason: 'refused' as const, message: NASTY }
  const changed = { paths: [NASTY], count: 1 }
  const input = inputOf([noteOf({ ...nasty, ...work, asked, failure, changed })], told)
  const text = renderMarkdown(input)
  assert.ok(!text.includes('\u001b'))
  // In code it stands as it is; elsewhere it is no markup.
  const outsideCode = text.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, '')
  assert.ok(!outsideCode.includes('<b'), outsideCode)
})
