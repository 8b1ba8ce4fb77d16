import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

const QUEUE = JSON.stringify({
  project: 'p',
  features: [{ id: 'a', description: 'b', file: '/etc/hosts', status: 'pending' }],
})
const PHASE = '---\nphase: 1\nplan: 1\n---\n<task><name>n</name><files>/etc/hosts</files></task>\n'
const BATCH = '## Batch 1: a\n### Task 1.1: b\n**Files:**\n- Modify: /etc/hosts\n'

/** One of each reader that makes claims of a list of files. */
const PLANS: [file: string, text: string][] = [
  ['plan.yaml', 'tasks:\n  - id: a\n    prompt: b\n    outside: [/etc/hosts]\n'],
  ['queue.json', QUEUE],
  ['01-01-PLAN.md', PHASE],
  ['plan.md', BATCH],
]

for (const [file, text] of PLANS)
  test(`a task that will fail because it names a path outside of the repository is warned of once: ${file}`, () => {
    const read = readPlan(text, file, DEFAULT_SETTINGS)
    assert.ok(read.ok)
    assert.deepEqual(read.value.plan.tasks[0]?.outside, ['/etc/hosts'])
    const [warning = '', ...more] = read.value.warnings.map(formatProblem)
    assert.match(warning, /:\d+:\d+: warning: .* will fail: \/etc\/hosts is outside of the repository$/)
    assert.deepEqual(more, [])
  })
