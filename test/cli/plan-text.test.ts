import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth } from '../../src/cli/display-width.ts'
import { palette } from '../../src/cli/palette.ts'
import { planShapeLines } from '../../src/cli/plan-shape.ts'
import type { PlanAnalysis } from '../../src/index.ts'

const shape: PlanAnalysis = {
  tasks: 4,
  edges: 3,
  levels: [['schema'], ['client', 'server'], ['docs']],
  waves: [['schema'], ['client'], ['server'], ['docs']],
  criticalPath: { tasks: ['schema', 'server', 'docs'], ms: 180_000 },
  totalMs: 240_000,
  lowerBoundMs: 180_000,
  slots: 2,
  estimated: 1,
  conflicts: [{ a: 'client', b: 'server', paths: ['src/**', 'src/api.ts'] }],
  conflictCount: 1,
  conflictsComplete: true,
}

test('the shape of a plan: levels, critical path, conflicts, times', () => {
  assert.deepEqual(planShapeLines('checkout', shape, 100, palette(false)), [
    'checkout  4 tasks, 3 edges, 3 levels',
    '',
    'Levels: each waits for the one before',
    '   1  schema',
    '   2  client, server',
    '   3  docs',
    '',
    'Critical path: 3m 00s',
    '  schema → server → docs',
    '',
    'Never at the same time, because their claims overlap',
    '  client × server  src/** and src/api.ts',
    '',
    'Time',
    '  one after another   4m 00s',
    '  at best with -j 2   3m 00s',
    '  (1 of the tasks has no estimate: a typical time was taken)',
  ])
})

test('a plan of thousands stays readable', () => {
  const levels = Array.from({ length: 500 }, (_, level) => Array.from({ length: 200 }, (_, n) => `t-${level}-${n}`))
  const conflicts = Array.from({ length: 100 }, (_, n) => ({ a: `a${n}`, b: `b${n}`, paths: ['x'] }))
  const big = { ...shape, levels, conflicts, conflictCount: 900, conflictsComplete: false }
  const lines = planShapeLines('big', big, 80, palette(false))
  assert.ok(lines.length < 120)
  assert.ok(lines.every((line) => displayWidth(line) <= 80))
  assert.ok(lines.includes('      … and 460 more levels'))
  assert.ok(lines.includes('  … and 860 or more'))
})
