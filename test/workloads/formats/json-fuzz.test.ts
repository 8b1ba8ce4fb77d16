import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzz } from './fuzz.ts'
import { mutatedJson } from './json-mutation.ts'
import { sample } from './sample.ts'

const SAMPLES: [format: string, file: string][] = [
  ['implementation-plan', 'implementation_plan.json'],
  ['work-queue', 'work_queue.json'],
  ['epics-and-tasks', 'epics-and-tasks.json'],
  ['task-master', 'task-master.json'],
  ['beads', 'issues.jsonl'],
]

const PIECES = [
  '"id": 1,',
  '"status": "completed",',
  '"dependencies": [1],',
  '"depends_on": ["1"],',
  '{}',
  '[]',
  '// x',
]

describe('whatever is wrong with a JSON plan, the answer is a plan or a place', () => {
  for (const [format, file] of SAMPLES) {
    test(`${format}: in how it is written`, (t) => {
      const { cases, read, slowestMs } = fuzz(format, [sample(file)], file, PIECES)
      t.diagnostic(`${cases} cases, ${read} read as plans, the slowest in ${slowestMs.toFixed(0)} ms`)
      assert.ok(read > 0)
    })
    test(`${format}: in what it says`, (t) => {
      const { cases, read, slowestMs } = fuzz(format, [sample(file)], file, [], mutatedJson)
      t.diagnostic(`${cases} cases, ${read} read as plans, the slowest in ${slowestMs.toFixed(0)} ms`)
      assert.ok(read > cases / 10)
    })
  }
})
