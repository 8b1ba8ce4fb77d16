import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unchangedFacts } from '../../src/facts/changes-to-look-at.ts'
import type { Outcome, TaskStatus } from '../../src/status.ts'
import type { Task } from '../../src/task.ts'
import { sampleTask } from '../cli/sample-run.ts'
import { planOf } from '../reports/sample.ts'

const PROMPT: Task['work'] = { kind: 'prompt', prompt: 'x', agent: 'command', model: null }

const TOLD = { work: PROMPT, land: true, claims: { write: ['src/a.ts'], read: [] } }

const CASES: { name: string; task?: Partial<Task>; status?: TaskStatus; outcome?: Outcome; isTold: boolean }[] = [
  { name: 'a prompt with claims', isTold: true },
  { name: 'a command', task: { work: { kind: 'command', command: 'make' } }, isTold: false },
  { name: 'a prompt without claims', task: { claims: { write: [], read: [] } }, isTold: false },
  { name: 'one that only reads', task: { claims: { write: [], read: ['src'] } }, isTold: false },
  { name: 'one whose work does not land', task: { land: false }, isTold: false },
  { name: 'one that changed something and landed', status: 'landed', outcome: 'changed', isTold: false },
  { name: 'one that failed', status: 'failed', outcome: 'failed', isTold: false },
]

for (const { name, task = {}, status = 'passed', outcome = 'no-change', isTold } of CASES)
  test(`${name}: it is ${isTold ? '' : 'not '}told of`, () => {
    const [one] = planOf([{ id: 'a' }]).tasks
    assert.ok(one)
    const view = { tasks: [sampleTask('a', status, { outcome })] }
    const facts = unchangedFacts(view, { tasks: [{ ...one, ...TOLD, ...task }] })
    assert.deepEqual(facts, isTold ? [{ task: 'a', paths: ['src/a.ts'], count: 1 }] : [])
    assert.deepEqual(unchangedFacts(view, null), [], 'without the plan nothing is known')
  })
