// Which edits of a task make it another one, so that a run does not call it done, and which are how far it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { taskContent } from '../../../../src/workloads/formats/status/status-file.ts'
import { type Given, written } from './written.ts'

type Edit = readonly [from: string, to: string]
type Case = { given: Given; task: string; before: string; changes: Edit[]; keeps: Edit[] }

const FIELD = (name: string, value: unknown): string => `"${name}":${JSON.stringify(value)}`

const CASES: Case[] = [
  {
    given: { file: 'implementation_plan.json', format: 'implementation-plan' },
    task: 'a',
    before: `{"phases":[{"phase":1,"subtasks":[{"id":"a",${FIELD('description', 'Do a')},"status":"pending",${FIELD('files_to_modify', ['m.ts'])},${FIELD('files_to_create', ['c.ts'])},${FIELD('patterns_from', ['p.ts'])},${FIELD('verification', { type: 'command', run: 'true' })},${FIELD('expected_output', 'words')},${FIELD('service', 'api')},${FIELD('notes', 'n')}}]}]}`,
    changes: [
      ['Do a', 'Do b'],
      ['m.ts', 'other.ts'],
      ['c.ts', 'other.ts'],
      ['p.ts', 'other.ts'],
      ['"run":"true"', '"run":"false"'],
      ['words', 'others'],
      ['"api"', '"web"'],
      ['"id":"a"', '"depends_on":["b"],"id":"a"'],
    ],
    keeps: [
      ['"n"', '"n, and more"'],
      ['"id":"a"', '"critique_result":{"ok":true},"session_id":"s","id":"a"'],
      ['"type":"command","run":"true"', '"run":"true","type":"command"'],
      ['"description":"Do a"', '"description" : "Do a "'],
    ],
  },
  {
    given: { file: 'queue.json', format: 'work-queue' },
    task: 'A',
    before: `{"features":[{"id":"A","title":"a","description":"Do a","status":"pending","file":"f.ts","tests":["t.ts"],"acceptance_criteria":["ok"],"completion_promise":"DONE","dependencies":["B"],"priority":"P1","attempts":0},{"id":"B","description":"b"}]}`,
    changes: [
      ['"a"', '"b"'],
      ['Do a', 'Do b'],
      ['f.ts', 'other.ts'],
      ['t.ts', 'other.ts'],
      ['["ok"]', '["ok","fast"]'],
      ['"DONE"', '"ALL DONE"'],
      ['"dependencies":["B"]', '"dependencies":[]'],
    ],
    keeps: [
      ['"attempts":0', '"attempts":3,"last_attempt":"now","notes":"x","error":"y"'],
      ['"P1"', '"P0"'],
    ],
  },
  {
    given: { file: 'tasks.json', format: 'epics-and-tasks' },
    task: '1',
    before: `{"epics":[{"id":1,"name":"e"},{"id":2,"name":"f"}],"tasks":[{"id":1,"epic_id":1,"description":"Do a","action":"edit","done":false,"depends_on":[2],"dependency_type":"hard","updated_at":"x"},{"id":2,"description":"b","done":false}]}`,
    changes: [
      ['Do a', 'Do b'],
      ['"edit"', '"remove"'],
      ['"epic_id":1', '"epic_id":2'],
      ['[2]', '[]'],
      ['"hard"', '"soft"'],
    ],
    keeps: [
      ['"x"', '"y"'],
      ['[2]', '["2"]'],
    ],
  },
  {
    given: { file: 'tasks.json', format: 'task-master' },
    task: '1',
    before: `{"tasks":[{"id":1,"title":"a","description":"Do a","status":"pending","details":"In short.","testStrategy":"by hand","acceptanceCriteria":["ok"],"relevantFiles":["r.ts"],"dependencies":[2],"updatedAt":"x"},{"id":2,"title":"b","status":"pending"}]}`,
    changes: [
      ['"a"', '"b"'],
      ['Do a', 'Do b'],
      ['In short.', 'At length.'],
      ['by hand', 'by a machine'],
      ['["ok"]', '["fast"]'],
      ['r.ts', 'other.ts'],
      ['[2]', '[]'],
      ['In short.', 'In short. <info added on x> never closed'],
    ],
    keeps: [
      ['"x"', '"y"'],
      ['In short.', 'In short.\\n\\n<info added on 2026>\\nDid it.\\n</info added on 2026>'],
      ['Do a', 'Do a [Updated: 1/2/2026] [Updated: 1/3/2026]'],
    ],
  },
  {
    given: { file: 'issues.jsonl', format: 'beads' },
    task: 'a',
    before: `{"id":"a","title":"a","description":"Do a","design":"One table","acceptance_criteria":"- [ ] fast","notes":"n","status":"open","issue_type":"task","updated_at":"x","dependencies":[{"issue_id":"a","depends_on_id":"b","type":"blocks","created_at":"x"}]}\n{"id":"b","title":"b","status":"open"}\n{"id":"c","title":"c","status":"open"}\n`,
    changes: [
      ['"title":"a"', '"title":"d"'],
      ['Do a', 'Do b'],
      ['One table', 'Two tables'],
      ['fast', 'slow'],
      ['"depends_on_id":"b"', '"depends_on_id":"c"'],
      ['"blocks"', '"waits-for"'],
      ['"issue_type":"task"', '"issue_type":"task","blocked_by":["c"]'],
    ],
    keeps: [
      ['"n"', '"n, and more"'],
      ['"updated_at":"x"', '"updated_at":"y","comments":[{"text":"z"}]'],
      ['"created_at":"x"', '"created_at":"y"'],
      ['- [ ] fast', '- [x] fast'],
      ['"dependencies":[', '"dependencies":[{"issue_id":"a","depends_on_id":"c","type":"discovered-from"},'],
    ],
  },
  {
    given: { file: 'tasks.md', format: 'spec-kit' },
    task: 'T002',
    before:
      '## One\n\n- [ ] T001 first\n- [ ] T002 [P] Do a in src/a.ts (depends on T001)\n  - [ ] with care\n  Look at b.ts\n',
    changes: [
      ['Do a', 'Do b'],
      ['src/a.ts', 'src/b.ts'],
      ['[P] ', ''],
      [' (depends on T001)', ''],
      ['with care', 'at once'],
      ['  Look at b.ts\n', ''],
    ],
    keeps: [
      ['  - [ ] with care', '  - [x] with care'],
      ['T001 first', 'T001 something else'],
      ['\n\n', '\n\nIn words.\n\n'],
    ],
  },
  {
    given: { file: '001.md', format: 'ccpm' },
    task: '001',
    before:
      '---\nname: A\nstatus: open\nparallel: true\ndepends_on: []\nconflicts_with: []\nupdated: x\n---\n\nDo a.\n\n- [ ] it is fast\n',
    changes: [
      ['name: A', 'name: B'],
      ['parallel: true', 'parallel: false'],
      ['depends_on: []', 'depends_on: [2]'],
      ['conflicts_with: []', 'conflicts_with: [2]'],
      ['Do a.', 'Do b.'],
      ['it is fast', 'it is slow'],
    ],
    keeps: [
      ['updated: x', 'updated: y\ngithub: z'],
      ['- [ ] it', '- [x] it'],
    ],
  },
]

for (const { given, task, before, changes, keeps } of CASES) {
  const after = ([from, to]: Edit) => {
    assert.ok(before.includes(from), `${from} is in the sample`)
    const now = before.replace(from, () => to)
    return { now, ...written(before, { [task]: 'done' }, { ...given, now }) }
  }

  describe(given.format, () => {
    for (const edit of changes) {
      test(`another task: ${edit.join(' → ')}`, () => {
        const { now, text, conflicts } = after(edit)
        assert.deepEqual(
          conflicts.map(({ source, why }) => [source, why]),
          [[task, 'another-task']],
        )
        assert.equal(text, now)
      })
    }
    for (const edit of keeps) {
      test(`the same task: ${edit.join(' → ')}`, () => {
        const { now, text, conflicts } = after(edit)
        assert.deepEqual(conflicts, [])
        assert.notEqual(text, now)
      })
    }
  })
}

test('subtasks of a subtask of Task Master are part of what it says', () => {
  const before = `{"tasks":[{"id":1,"title":"a","status":"pending","subtasks":[{"id":1,"title":"b","status":"pending","subtasks":[{"id":1,"title":"inner"}]}]}]}`
  const now = before.replace('inner', 'another')
  const { conflicts } = written(before, { 1.1: 'done' }, { file: 'tasks.json', format: 'task-master', now })
  assert.deepEqual(
    conflicts.map(({ source, why }) => [source, why]),
    [['1.1', 'another-task']],
  )
})

test('line ends, indentation and an empty field say nothing', () => {
  assert.equal(taskContent(['a\r\n\tb', undefined, []]), taskContent([' a\n  b', null, '']))
})
