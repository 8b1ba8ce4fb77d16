import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzz } from './fuzz.ts'
import { mutatedMarkdown } from './markdown-mutation.ts'
import { sample, sampleFolder } from './sample.ts'

const HEADINGS = [
  '## Batch 2: x\n',
  '### Task 1.1: x\n',
  '### Task 9.9\n',
  '**Dependencies:** Batch 1-9, Task 1.1\n',
  '**Files:**\n- Create: x\n',
]
const LINES = [
  '- [ ] T001 x',
  '- [x] T002 [P] y\n',
  '- [ ] [P] [T003] z\n',
  '- [ ] T010 (depends on T001-T011)\n',
  '## Phase\n',
  '<!--',
  '-->',
  '[P]',
  'depends on T999',
]
const TAGS = [
  '<task type="auto">',
  '</task>',
  '<name>',
  '</name>',
  '<verify>',
  '</verify>',
  '<tasks>',
  '</tasks>',
  'depends_on: [01, 02-03]\n',
]
const FIELDS = [
  'depends_on: [001, 004]\n',
  'parallel: false\n',
  'conflicts_with: 003\n',
  'status: closed\n',
  'name:\n',
  'name: a: b\n',
]

describe('a Markdown plan with something wrong in it', () => {
  const cases: [format: string, files: ReturnType<typeof sampleFolder>, name: string, pieces: string[]][] = [
    ['batch-plan', [sample('batch-plan.md')], 'plan.md', HEADINGS],
    ['spec-kit', [sample('tasks.md')], 'tasks.md', LINES],
    ['gsd-plan', [sample('gsd-phase/02-01-PLAN.md')], '02-01-PLAN.md', TAGS],
    ['gsd-plan', sampleFolder('gsd-phase'), 'gsd-phase', TAGS],
    ['ccpm', [sample('ccpm-epic/002.md')], '002.md', FIELDS],
    ['ccpm', sampleFolder('ccpm-epic'), 'ccpm-epic', FIELDS],
  ]
  for (const [format, files, name, pieces] of cases) {
    test(`${format}: ${name}, in what it says`, (t) => {
      const { cases, read, slowestMs } = fuzz(format, files, name, pieces, mutatedMarkdown)
      t.diagnostic(`${cases} cases, ${read} of them plans; the slowest took ${slowestMs.toFixed(0)} ms`)
      assert.ok(read > cases / 20, `${read} of ${cases} were plans`)
    })
    test(`${format}: ${name}, in how it is written`, (t) => {
      const { cases, read, slowestMs } = fuzz(format, files, name, pieces)
      t.diagnostic(`${cases} cases, ${read} of them plans; the slowest took ${slowestMs.toFixed(0)} ms`)
      assert.ok(read > cases / 20 && read < cases, `${read} of ${cases} were plans: one side was hardly tried`)
    })
  }
})
