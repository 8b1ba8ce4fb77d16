// What tasks wait for, by the view of their run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitsOf, waitText } from '../../src/facts/waits.ts'
import { readPlan } from '../../src/index.ts'
import type { TaskStatus } from '../../src/status.ts'
import type { RunView, TaskView } from '../../src/view.ts'
import { sampleRun, sampleTask } from '../cli/sample-run.ts'
import { makeSettings } from '../rig/plan.ts'

const NOW = 1_000_000

function texts(tasks: TaskView[], more: Partial<RunView> = {}, known: Partial<Parameters<typeof waitsOf>[1]> = {}) {
  const view = sampleRun(tasks, { status: 'running', engine: { pid: 1 }, ...more })
  return Object.fromEntries(
    [...waitsOf(view, { now: NOW, ...known })].map(([task, wait]) => [task, waitText(wait, NOW)]),
  )
}

test('every status that waits says for what, and no other does', () => {
  const budget = { scope: 'epic', name: 'api', budgetUsd: 2, spentUsd: 2 } as const
  const tasks = [
    sampleTask('running', 'running'),
    sampleTask('landing', 'landing'),
    sampleTask('verified', 'landing'),
    sampleTask('conflict', 'conflict'),
    sampleTask('dependent', 'pending', { needs: ['running', 'landed', 'conflict'] }),
    sampleTask('retried', 'pending', { retryAt: NOW + 5_000 }),
    sampleTask('poor', 'ready', { epic: 'api' }),
    sampleTask('claims', 'ready'),
    sampleTask('held', 'ready'),
    sampleTask('slot', 'ready'),
    ...(['landed', 'passed', 'failed', 'blocked', 'cancelled'] satisfies TaskStatus[]).map((status) =>
      sampleTask(status, status),
    ),
  ]
  const claims = new Map([
    ['claims', { task: 'claims', glob: 'src/**', holder: { kind: 'task', name: 'running' } as const }],
  ])
  const holds = new Map([['held', { id: 1, name: 'ana', glob: 'docs/**', since: 0, until: NOW + 60_000 }]])
  const budgets = { budgetUsd: null, onReached: 'finish', spentUsd: 2, reached: [], holding: [budget] } as const
  const queue = { batch: ['verified'], verifying: [], verifications: 1, flakes: 0 }
  assert.deepEqual(
    texts(tasks, { budgets: { ...budgets, reached: [], holding: [budget] }, queue }, { claims, holds }),
    {
      landing: 'waits to land',
      verified: 'is being verified before it lands',
      conflict: 'waits for you to resolve the conflict',
      dependent: 'waits for running, conflict',
      retried: 'retry in 5.0s',
      poor: 'waits for a larger budget of epic api (spent $2.00 of $2.00)',
      claims: 'waits for running: src/**',
      held: "waits for ana's hold on docs/**, 1m 00s left",
      slot: 'waits for a free slot',
    },
  )
})

test('a task waits for its agent where all it may have are paused', () => {
  const tasksOf = (text: string) => {
    const read = readPlan(text, 'plan.yaml', makeSettings(), { agents: ['claude', 'codex'] })
    assert.ok(read.ok, JSON.stringify(read))
    return read.value.plan
  }
  const plan = tasksOf('tasks: [{id: one, prompt: x, agent: claude}, {id: two, prompt: x, agents: [claude, codex]}]')
  const tasks = [sampleTask('one', 'ready'), sampleTask('two', 'ready')]
  const paused = [{ agent: 'claude', until: NOW + 60_000, why: 'limited' } as const]
  const both = [...paused, { agent: 'codex', until: NOW + 30_000, why: 'login' } as const]
  assert.deepEqual(texts(tasks, { paused }, { plan }), {
    one: 'waits for claude, paused for 1m 00s (rate limit)',
    two: 'waits for a free slot',
  })
  assert.match(texts(tasks, { paused: both }, { plan }).two ?? '', /^waits for codex, paused for 30/)
})

test('waves, and a run that nobody works on', () => {
  const tasks = [sampleTask('a', 'running'), sampleTask('b', 'pending'), sampleTask('c', 'ready')]
  assert.deepEqual(texts(tasks, { schedule: 'waves' }), { b: 'waits for the next wave', c: 'waits for a free slot' })
  assert.deepEqual(texts(tasks, { engine: null }), {
    b: 'waits for `espalier resume`',
    c: 'waits for `espalier resume`',
  })
})

test('a task that asks for a machine says which', () => {
  const text = 'name: demo\ntasks:\n  - {id: train, run: make train, labels: [gpu, arm]}\n'
  const read = readPlan(text, 'plan.yaml', makeSettings(), { agents: [] })
  assert.ok(read.ok)
  assert.deepEqual(texts([sampleTask('train', 'ready')], {}, { plan: read.value.plan }), {
    train: 'waits for a free slot on a machine with gpu, arm',
  })
})
