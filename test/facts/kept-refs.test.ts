import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeptWork, keptRef, keptWork, lastKeptWork } from '../../src/facts/kept-refs.ts'
import { workRef } from '../../src/git/engine/ref-names.ts'
import type { TaskStatus } from '../../src/status.ts'
import type { AttemptView } from '../../src/view.ts'
import { taskOf } from '../reports/sample.ts'

const commit = 'a'.repeat(40)
const failure = { reason: 'timeout', message: '' } as const

const cases: {
  name: string
  status: TaskStatus
  history: Partial<AttemptView>[]
  refs: string[]
  last: string | null
}[] = [
  {
    name: 'a failed task: every attempt that left work',
    status: 'failed',
    history: [{ commit, failure }, { failure }, { commit, failure }],
    refs: ['failed/a/1', 'failed/a/3'],
    last: 'failed/a/3',
  },
  { name: 'work that never lands', status: 'passed', history: [{ commit }], refs: ['kept/a/1'], last: 'kept/a/1' },
  { name: 'nothing to keep', status: 'passed', history: [{}], refs: [], last: null },
  {
    name: 'a landed task: only the tries before',
    status: 'landed',
    history: [{ commit, failure }, { commit }],
    refs: ['failed/a/1'],
    last: null,
  },
  {
    name: 'what went down with its epic',
    status: 'blocked',
    history: [{ commit }],
    refs: ['failed/a/1'],
    last: 'failed/a/1',
  },
  { name: 'work that is about to land', status: 'landing', history: [{ commit }], refs: [], last: null },
]
for (const { name, status, history, refs, last } of cases) {
  test(`the refs of ${name}`, () => {
    const task = taskOf({ id: 'a', status, history })
    const prefix = 'refs/espalier/shop-1/'
    assert.deepEqual(
      keptWork(task).map((work) => keptRef('shop-1', work)),
      refs.map((ref) => prefix + ref),
    )
    const newest = lastKeptWork(task)
    assert.equal(newest && keptRef('shop-1', newest), last && prefix + last)
  })
}

test('git makes no ref of what is no id or no number', () => {
  const work: KeptWork = { task: 'a', attempt: 1, commit, kind: 'failed' }
  assert.equal(workRef('shop-1', work), keptRef('shop-1', work))
  assert.throws(() => workRef('shop-1', { ...work, task: '../x' }))
  assert.throws(() => workRef('shop 1', work))
  assert.throws(() => workRef('shop-1', { ...work, attempt: 0 }))
})
