import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sought, SoughtTasks } from '../../../src/engine/history/landed.ts'
import type { PlanOrigin } from '../../../src/workloads/formats/status/plan-origin.ts'

function sought(sources: Record<string, string>, { sameWords = false } = {}): Sought {
  const tasks = Object.entries(sources).map(([source, says]) => ({ path: 'plan.json', source, says }))
  return { part: null, tasks, sameWords }
}

function kept(sources: Record<string, string>, { path = 'plan.json', part = null as string | null } = {}): PlanOrigin {
  const entries = Object.entries(sources).map(([source, says]) => {
    return { task: `task-${source}`, source, status: 'pending', says }
  })
  return { format: 'task-master', part, files: [{ path, entries }] }
}

const LANDED = new Map([
  ['task-1', 'c1'],
  ['task-2', 'c2'],
])

test('a task belongs to the newest run in which it landed', () => {
  const tasks = new SoughtTasks(sought({ 1: 'a', 2: 'b', 3: 'c' }))
  assert.deepEqual(tasks.take('plan-2', kept({ 1: 'a', 3: 'c' }), LANDED), [
    { run: 'plan-2', task: 'task-1', source: '1', commit: 'c1' },
  ])
  assert.deepEqual(tasks.take('plan-1', kept({ 1: 'a', 2: 'b' }), LANDED), [
    { run: 'plan-1', task: 'task-2', source: '2', commit: 'c2' },
  ])
  assert.equal(tasks.areLeft, true, 'nobody has landed 3')
})

test('nothing is left to look for when all are found', () => {
  const tasks = new SoughtTasks(sought({ 1: 'a' }))
  tasks.take('plan-1', kept({ 1: 'a' }), LANDED)
  assert.equal(tasks.areLeft, false)
})

test('another file, or the same name in another part of it, is another task', () => {
  const ask = (origin: PlanOrigin) => {
    return new SoughtTasks(sought({ 1: 'a' })).take('plan-1', origin, LANDED).map(({ source }) => source)
  }
  assert.deepEqual(ask(kept({ 1: 'a' }, { path: 'other.json' })), [])
  assert.deepEqual(ask(kept({ 1: 'other' }, { part: 'next' })), [])
  // `--part master` says what is meant without it, too.
  assert.deepEqual(ask(kept({ 1: 'a' }, { part: 'master' })), ['1'])
  // Its words may have been put right since.
  assert.deepEqual(ask(kept({ 1: 'other' })), ['1'])
})

test('where the words count, others are another task', () => {
  const ask = (now: string, then: string) => {
    const tasks = new SoughtTasks(sought({ 1: now }, { sameWords: true }))
    return tasks.take('plan-1', kept({ 1: then }), LANDED).length
  }
  assert.equal(ask('a', 'a'), 1)
  assert.equal(ask('a', 'b'), 0)
})
