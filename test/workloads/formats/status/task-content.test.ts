// Which changes of a task make it another one, so that a run does not call it done, and which say how far it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'jsonc-parser'
import { DEFAULT_SETTINGS } from '../../../../src/config.ts'
import { isMapping } from '../../../../src/workloads/document/schema-check.ts'
import { taskContent } from '../../../../src/workloads/formats/status/text-edits.ts'
import { readPlan } from '../../../../src/workloads/plan/read.ts'
import { sample } from '../sample.ts'
import { knownFormat, SAMPLES, written } from './written.ts'

/** Format, file and task, what the file says, and edits that make it another task (`≠`) or do not (`=`); `⏎` is a line break. */
const EDITS = String.raw`
implementation-plan implementation_plan.json a
{"phases":[{"phase":1,"subtasks":[{"id":"a","description":"Do a","verification":{"type":"command","run":"true"},"notes":"n"}]}]}
≠ Do a → Do b
= "n" → "n, and more"
= "id":"a" → "critique_result":{"ok":true},"session_id":"s","id":"a"
= "type":"command","run":"true" → "run":"true","type":"command"
= "description":"Do a" → "description" : "Do a "

work-queue queue.json A
{"features":[{"id":"A","description":"Do a","dependencies":["B"],"priority":"P1","attempts":0},{"id":"B","description":"b"}]}
≠ "dependencies":["B"] → "dependencies":[]
= "attempts":0 → "attempts":3,"last_attempt":"now","notes":"x","error":"y"
= "P1" → "P0"

epics-and-tasks tasks.json 1
{"epics":[{"id":1},{"id":2}],"tasks":[{"id":1,"epic_id":1,"action":"a","depends_on":[2],"updated_at":"x"},{"id":2,"action":"b"}]}
≠ "epic_id":1 → "epic_id":2
= "x" → "y"
= [2] → ["2"]

task-master tasks.json 1
{"tasks":[{"id":1,"title":"a","description":"Do a","details":"In short.","updatedAt":"x","subtasks":[]}]}
≠ In short. → In short. <info added on x> never closed
= "x" → "y"
= In short. → In short.\n\n<info added on 2026>\nDid it.\n</info added on 2026>
= Do a → Do a [Updated: 1/2/2026] [Updated: 1/3/2026]

task-master tasks.json 1.1
{"tasks":[{"id":1,"title":"a","subtasks":[{"id":1,"title":"b","subtasks":[{"id":1,"title":"inner, part of its text"}]}]}]}
≠ inner → another

beads issues.jsonl a
{"id":"a","title":"a","acceptance_criteria":"- [ ] fast","notes":"n","status":"open","updated_at":"x","dependencies":[{"issue_id":"a","depends_on_id":"b","type":"blocks","created_at":"x"}]}⏎{"id":"b","title":"b","status":"open"}⏎{"id":"c","title":"c","status":"open"}⏎
≠ "depends_on_id":"b" → "depends_on_id":"c"
≠ "blocks" → "waits-for"
= "n" → "n, and more"
= "updated_at":"x" → "updated_at":"y","comments":[{"text":"z"}]
= "created_at":"x" → "created_at":"y"
= - [ ] fast → - [x] fast
= "dependencies":[ → "dependencies":[{"issue_id":"a","depends_on_id":"c","type":"discovered-from"},

spec-kit tasks.md T002
## One⏎⏎- [ ] T001 first⏎- [ ] T002 [P] Do a in src/a.ts (depends on T001)⏎  - [ ] with care⏎  Look at b.ts⏎
≠ src/a.ts → src/b.ts
≠ [P] Do → Do
≠ in src/a.ts (depends on T001) → in src/a.ts
≠ with care → at once
≠ Look at b.ts → Look at c.ts
= - [ ] with care → - [x] with care
= T001 first → T001 something else
= ⏎⏎ → ⏎⏎In words.⏎⏎

ccpm 001.md 001
---⏎name: A⏎status: open⏎parallel: true⏎depends_on: []⏎conflicts_with: []⏎updated: x⏎---⏎⏎Do a.⏎⏎- [ ] it is fast⏎
≠ name: A → name: B
≠ parallel: true → parallel: false
≠ depends_on: [] → depends_on: [2]
≠ conflicts_with: [] → conflicts_with: [2]
≠ Do a. → Do b.
≠ it is fast → it is slow
= updated: x → updated: y⏎github: z
= - [ ] it → - [x] it`

for (const block of EDITS.trim().split('\n\n')) {
  const [head = '', text = '', ...edits] = block.split('\n')
  const [format = '', file = '', task = ''] = head.split(' ')
  const before = text.replaceAll('⏎', '\n')
  for (const edit of edits)
    test(`${format}: ${edit}`, () => {
      const [, sign, from = '', to = ''] = /^([≠=]) (.*) → (.*)$/s.exec(edit.replaceAll('⏎', '\n')) ?? []
      assert.ok(before.includes(from), `${from} is in the sample`)
      const now = before.replace(from, () => to)
      const { text, conflicts } = written(before, { [task]: 'done' }, { file, format, now })
      const found = conflicts.map(({ source, why }) => `${source} ${why}`)
      assert.deepEqual(found, sign === '=' ? [] : [`${task} another-task`])
      assert.equal(text === now, sign === '≠')
    })
}

test('line ends, indentation and an empty field say nothing', () => {
  assert.equal(taskContent(['a\r\n\tb', undefined, []]), taskContent([' a\n  b', null, '']))
})

// Whatever a reader takes from a task into its prompt, claims, checks or order is part of what is to be done: a reader that
// learns a field has to tell the writer of statuses.

/** Whose task it is, how far it is, and how it is done: not what. */
const NOT_WHAT = new Set('id status done notes priority labels tags type max_iterations subtasks comments'.split(' '))

/** Fields that one or the other format has, and not every sample. */
const MORE = (
  'title name description details design action file files tests relevantFiles service acceptance_criteria acceptanceCriteria ' +
  'testStrategy expected_output verification patterns_from completion_promise files_to_modify files_to_create success_criteria ' +
  'context instructions technicalConstraints steps existingInfrastructure scopeBoundaries'
).split(' ')

for (const { format, file } of SAMPLES.filter(({ file }) => /\.jsonl?$/.test(file)))
  test(`${format}: a change of a task that its reader sees makes it another one`, () => {
    const { text } = sample(file)
    const isLines = file.endsWith('l')
    const values = (isLines ? (text.match(/.*\S.*/g) ?? []) : [text]).map((one) => parse(one))
    const look = () => tasksIn(values.map((one) => JSON.stringify(one)).join('\n'), format, file)
    const before = look() ?? assert.fail('the sample cannot be read')
    let seen = 0
    for (const [at, record] of recordsIn(values, isLines ? 'tasks' : '').entries())
      for (const name of new Set([...Object.keys(record), ...MORE]).difference(NOT_WHAT)) {
        const kept = record[name]
        for (const other of othersFor(kept)) {
          record[name] = other
          const [was, is] = [before[at], look()?.[at]]
          // Not open, not valid any more, or nothing that means anything here.
          if (!was || !is || was.task === is.task) continue
          seen++
          assert.notEqual(is.content, was.content, `${record.id}: \`${name}\` is ${JSON.stringify(other)}`)
        }
        record[name] = kept
      }
    assert.ok(seen >= 5, `${seen} changes`)
  })

/** The tasks in the order in which they stand in the file, without those under another tag. */
function recordsIn(value: unknown, list = ''): Record<string, unknown>[] {
  if (Array.isArray(value)) {
    const isTasks = ['subtasks', 'chunks', 'features', 'tasks'].includes(list)
    return value.filter(isMapping).flatMap((one) => [...(isTasks ? [one] : []), ...recordsIn(one)])
  }
  const fields = Object.entries(isMapping(value) ? value : {})
  return fields.flatMap(([name, inner]) => (name === 'experiments' ? [] : recordsIn(inner, name)))
}

/** What the reader of plans and the writer of statuses see of each task; undefined for one that is not open, null if nothing is read. */
function tasksIn(text: string, format: string, file: string) {
  const read = readPlan(text, file, DEFAULT_SETTINGS, { format })
  const records = knownFormat(format).read({ file, text }, null)
  if (!read.ok || !records.ok) return null
  const { plan, source } = read.value
  const names = new Map(source.entries.map((entry) => [entry.source, entry.task]))
  return records.value.map((record) => {
    const task = plan.tasks.find(({ id }) => id === names.get(record.source))
    if (!task) return undefined
    const { work, claims, verify, needs, after, completion, outside } = task
    const seen = [work, claims, verify, needs, after, completion, outside]
    return { task: JSON.stringify(seen), content: record.content() }
  })
}

function othersFor(value: unknown): unknown[] {
  if (value === undefined) return ['src/some.ts', ['src/some.ts'], { type: 'command', run: 'true' }]
  if (typeof value === 'string') return [`${value} and more`, '']
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'boolean') return [!value]
  if (Array.isArray(value)) return [[], [...value, 'src/more.ts'], value.slice(1)]
  return isMapping(value) ? [{}, { ...value, run: 'true # more', type: 'command' }] : []
}
