// A run tries tasks again whose end it has written into the plan file: those words are its own, any other is somebody's.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Applied, applyStatus } from '../../../../src/workloads/formats/write-back/apply-status.ts'
import { type OriginFile, withWordsLeft } from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { overtaken } from '../../../../src/workloads/formats/write-back/settled-by-others.ts'
import type { StatusPhase } from '../../../../src/workloads/formats/write-back/status-writer.ts'
import { entriesOf, type Given, knownFormat, statusesOf, written } from './written.ts'

/** One open task `1` each. */
const FILES: [Given, text: string][] = [
  [
    { format: 'implementation-plan', file: 'implementation_plan.json' },
    '{"phases": [{"phase": 1, "subtasks": [{"id": "1", "description": "Do it", "status": "pending"}]}]}',
  ],
  [
    { format: 'work-queue', file: 'queue.json' },
    '{"features": [{"id": "1", "description": "Do it", "status": "pending"}]}',
  ],
  [
    { format: 'epics-and-tasks', file: 'tasks.json' },
    '{"epics": [], "tasks": [{"id": 1, "action": "Do it", "status": "pending"}]}',
  ],
  [
    { format: 'task-master', file: 'tasks.json' },
    '{"tasks": [{"id": 1, "title": "Do it", "status": "pending", "dependencies": []}]}',
  ],
  [{ format: 'beads', file: 'issues.jsonl' }, '{"id":"1","title":"Do it","status":"open","issue_type":"task"}\n'],
  [{ format: 'spec-kit', file: 'tasks.md' }, '# Tasks: T\n\n## Phase 1: One\n\n- [ ] T1 Do it in a.txt\n'],
  [{ format: 'ccpm', file: '1.md' }, '---\nname: Do it\nstatus: open\n---\n'],
]

type Entries = OriginFile['entries']

/** When they are tried again after they ended like this. */
function left(given: Given, entries: Entries, phase: StatusPhase, unwritten: string[] = []): Entries {
  const origin = { format: given.format, part: null, files: [{ path: given.file, entries }] }
  const ended = new Map(entries.map(({ task }) => [task, phase]))
  const { files } = withWordsLeft(origin, knownFormat(given.format), {
    ended,
    byOthers: new Map(),
    unwritten: new Set(unwritten),
  })
  return files[0]?.entries ?? []
}

function apply({ format, file }: Given, text: string, entries: Entries, phase: StatusPhase): Applied {
  const facts = { phase, startedAt: null, finishedAt: null, session: null, output: null }
  const tasks = entries.map((entry) => ({ ...entry, ...facts }))
  const applied = applyStatus(knownFormat(format), { file, text }, { tasks, groups: [] }, null)
  return applied.ok ? applied.value : assert.fail(JSON.stringify(applied))
}

describe('what a run has left is its own to change', () => {
  for (const [given, text] of FILES) {
    test(given.format, () => {
      const entries = entriesOf(text, given)
      const [{ source } = assert.fail('no task')] = entries
      const format = knownFormat(given.format)
      // What has passed in an epic that begins anew as a whole is done by the file.
      for (const end of ['failed', 'blocked', 'done'] as const) {
        const after = written(text, { [source]: end }, given).text
        const again = left(given, entries, end)
        for (const next of ['open', 'begun', 'failed', 'blocked', 'done'] as const) {
          const { text: now, conflicts } = apply(given, after, again, next)
          assert.deepEqual(conflicts, [], `${end}, ${next}`)
          assert.equal(statusesOf(now, given)[source], format.words[next], `${end}, ${next}`)
        }
        // What is done has begun, and is not looked at.
        const found = overtaken(format, { file: given.file, text: after }, again, null)
        if (end !== 'done') assert.deepEqual(found, [], end)
      }
    })
  }
})

describe('any other word is somebody’s', () => {
  for (const [given, text] of FILES) {
    const format = knownFormat(given.format)
    const [{ source } = assert.fail('no task')] = entriesOf(text, given)
    for (const [end, theirs] of [
      ['failed', 'blocked'],
      ['failed', 'done'],
      ['blocked', 'failed'],
      ['blocked', 'done'],
    ] as const) {
      // Where a format has no word for it, nobody can have set it.
      if (format.words[theirs] === format.words.open) continue
      test(`${given.format}: ${theirs} where it was ${end}`, () => {
        const now = written(text, { [source]: theirs }, given).text
        const { text: after, conflicts } = apply(given, now, left(given, entriesOf(text, given), end), 'begun')
        assert.equal(after, now)
        assert.deepEqual(
          conflicts.map(({ why, status }) => [why, status]),
          [['another-status', format.words[theirs]]],
        )
      })
    }
  }
})

test('only how it ended last counts, unless that could not be written', () => {
  const [[given, text] = assert.fail()] = FILES
  const first = left(given, entriesOf(text, given), 'blocked')
  const leftOf = (entries: Entries) => entries.map((entry) => entry.left)
  assert.deepEqual(leftOf(left(given, first, 'failed')), [['failed']])
  assert.deepEqual(leftOf(left(given, first, 'failed', ['another.json'])), [['failed']])
  assert.deepEqual(leftOf(left(given, first, 'failed', [given.file])), [['blocked', 'failed']])
  assert.deepEqual(leftOf(left(given, first, 'blocked', [given.file])), [['blocked']])
})

test('a part of what somebody has put to rest is so too, whatever the run had left of it', () => {
  const given: Given = { format: 'task-master', file: 'tasks.json' }
  const text = (whole: string, part: string) =>
    `{"tasks": [{"id": 1, "title": "Whole", "status": "${whole}", "subtasks": [{"id": 1, "title": "Part", "status": "${part}"}]}]}`
  const entries = entriesOf(text('pending', 'pending'), given).filter(({ source }) => source === '1.1')
  const found = (whole: string) =>
    overtaken(
      knownFormat(given.format),
      { file: given.file, text: text(whole, 'blocked') },
      left(given, entries, 'blocked'),
      null,
    )
  assert.deepEqual(found('in-progress'), [])
  assert.deepEqual(found('deferred'), [{ task: 'task-1-1', source: '1.1', status: 'deferred' }])
})

test('how other runs ended with a task counts as well, with what was left before them', () => {
  const [[given, text] = assert.fail('no format')] = FILES
  const [entry = assert.fail('no task')] = entriesOf(text, given)
  const { words } = knownFormat(given.format)
  const wordsOf = (before: string[], ended: StatusPhase[], others: StatusPhase[]) => {
    const entries = [{ ...entry, ...(before.length > 0 ? { left: before } : {}) }]
    const origin = { format: given.format, part: null, files: [{ path: given.file, entries }] }
    const by = <T>(phases: T[]): Map<string, T> => new Map(phases.map((phase) => [entry.task, phase]))
    const facts = { ended: by(ended), byOthers: by([others]), unwritten: new Set<string>() }
    return withWordsLeft(origin, knownFormat(given.format), facts).files[0]?.entries[0]?.left
  }
  assert.equal(wordsOf([], [], []), undefined)
  assert.deepEqual(wordsOf([], [], ['failed', 'blocked', 'failed']), [words.failed, words.blocked])
  assert.deepEqual(wordsOf([], ['blocked'], ['failed']), [words.blocked, words.failed])
  // It goes on after an engine was killed that had not come to write anything since.
  assert.deepEqual(wordsOf([words.blocked], [], ['failed']), [words.blocked, words.failed])
  // Tried again once more: the file has said since how it ended.
  assert.deepEqual(wordsOf([words.failed], ['blocked'], []), [words.blocked])
})
