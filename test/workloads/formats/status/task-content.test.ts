// Which edits of a task make it another one, so that a run does not call it done, and which are how far it is. That all
// fields that a reader of JSON sees are part of the text is in another-task.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskContent } from '../../../../src/workloads/formats/status/text-edits.ts'
import { type Given, written } from './written.ts'

/** Edits that make `task` of the file another one (`≠`) and those that do not (`=`), a line each; `⏎` is a line break. */
const ROWS: [file: string, format: string, task: string, before: string, edits: string][] = [
  [
    'implementation_plan.json',
    'implementation-plan',
    'a',
    '{"phases":[{"phase":1,"subtasks":[{"id":"a","description":"Do a","verification":{"type":"command","run":"true"},"notes":"n"}]}]}',
    `≠ Do a → Do b
     = "n" → "n, and more"
     = "id":"a" → "critique_result":{"ok":true},"session_id":"s","id":"a"
     = "type":"command","run":"true" → "run":"true","type":"command"
     = "description":"Do a" → "description" : "Do a "`,
  ],
  [
    'queue.json',
    'work-queue',
    'A',
    '{"features":[{"id":"A","description":"Do a","dependencies":["B"],"priority":"P1","attempts":0},{"id":"B","description":"b"}]}',
    `≠ "dependencies":["B"] → "dependencies":[]
     = "attempts":0 → "attempts":3,"last_attempt":"now","notes":"x","error":"y"
     = "P1" → "P0"`,
  ],
  [
    'tasks.json',
    'epics-and-tasks',
    '1',
    '{"epics":[{"id":1},{"id":2}],"tasks":[{"id":1,"epic_id":1,"action":"a","depends_on":[2],"updated_at":"x"},{"id":2,"action":"b"}]}',
    `≠ "epic_id":1 → "epic_id":2
     = "x" → "y"
     = [2] → ["2"]`,
  ],
  [
    'tasks.json',
    'task-master',
    '1',
    '{"tasks":[{"id":1,"title":"a","description":"Do a","details":"In short.","updatedAt":"x","subtasks":[]}]}',
    `≠ In short. → At length.
     = "x" → "y"`,
  ],
  // Subtasks of a subtask are part of its text.
  [
    'tasks.json',
    'task-master',
    '1.1',
    '{"tasks":[{"id":1,"title":"a","subtasks":[{"id":1,"title":"b","subtasks":[{"id":1,"title":"inner"}]}]}]}',
    '≠ inner → another',
  ],
  [
    'issues.jsonl',
    'beads',
    'a',
    '{"id":"a","title":"a","acceptance_criteria":"- [ ] fast","notes":"n","status":"open","updated_at":"x","dependencies":[{"issue_id":"a","depends_on_id":"b","type":"blocks","created_at":"x"}]}\n{"id":"b","title":"b","status":"open"}\n{"id":"c","title":"c","status":"open"}\n',
    `≠ "depends_on_id":"b" → "depends_on_id":"c"
     ≠ "blocks" → "waits-for"
     = "n" → "n, and more"
     = "updated_at":"x" → "updated_at":"y","comments":[{"text":"z"}]
     = "created_at":"x" → "created_at":"y"
     = - [ ] fast → - [x] fast
     = "dependencies":[ → "dependencies":[{"issue_id":"a","depends_on_id":"c","type":"discovered-from"},`,
  ],
  [
    'tasks.md',
    'spec-kit',
    'T002',
    '## One\n\n- [ ] T001 first\n- [ ] T002 [P] Do a in src/a.ts (depends on T001)\n  - [ ] with care\n  Look at b.ts\n',
    `≠ src/a.ts → src/b.ts
     ≠ [P] Do → Do
     ≠ in src/a.ts (depends on T001) → in src/a.ts
     ≠ with care → at once
     ≠ Look at b.ts → Look at c.ts
     = - [ ] with care → - [x] with care
     = T001 first → T001 something else
     = ⏎⏎ → ⏎⏎In words.⏎⏎`,
  ],
  [
    '001.md',
    'ccpm',
    '001',
    '---\nname: A\nstatus: open\nparallel: true\ndepends_on: []\nconflicts_with: []\nupdated: x\n---\n\nDo a.\n\n- [ ] it is fast\n',
    `≠ name: A → name: B
     ≠ parallel: true → parallel: false
     ≠ depends_on: [] → depends_on: [2]
     ≠ conflicts_with: [] → conflicts_with: [2]
     ≠ Do a. → Do b.
     ≠ it is fast → it is slow
     = updated: x → updated: y⏎github: z
     = - [ ] it → - [x] it`,
  ],
]

for (const [file, format, task, before, edits] of ROWS)
  for (const line of edits.split('\n').map((one) => one.replace(/^ {5}/, '')))
    test(`${format}: ${line}`, () => {
      const [, sign, from = '', to = ''] = /^([≠=]) (.*) → (.*)$/s.exec(line.replaceAll('⏎', '\r')) ?? []
      const [found, isSame] = [from.replaceAll('\r', '\n'), sign === '=']
      assert.ok(before.includes(found), `${found} is in the sample`)
      const now = before.replace(found, () => to.replaceAll('\r', '\n'))
      const given: Given = { file, format, now }
      const { text, conflicts } = written(before, { [task]: 'done' }, given)
      assert.deepEqual(
        conflicts.map(({ source, why }) => [source, why]),
        isSame ? [] : [[task, 'another-task']],
      )
      assert.equal(text === now, !isSame)
    })

test('line ends, indentation and an empty field say nothing', () => {
  assert.equal(taskContent(['a\r\n\tb', undefined, []]), taskContent([' a\n  b', null, '']))
})
