// The tables of the documentation name what the code has: nothing missing, nothing that is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT } from '../../src/cli/exit-status.ts'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { eventSchema } from '../../src/event.ts'
import { FAILURE_REASONS } from '../../src/failure.ts'
import * as library from '../../src/index.ts'
import { agentEnvironment } from '../../src/process/environment.ts'
import { overlaps } from '../../src/scheduler/claims/overlap.ts'
import { OUTCOMES, RUN_STATUSES, TASK_STATUSES } from '../../src/status.ts'
import { STATUS_SIGN } from '../../src/text/status-look.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { espalierHere } from '../rig/espalier.ts'
import { coded, namesIn, pageText, tableOf } from './pages.ts'

const PLAN = 'docs/plan.md'
const STATUSES = 'docs/statuses.md'

function same(documented: readonly string[], real: readonly string[]): void {
  assert.deepEqual([...documented].sort(), [...real].sort())
}

function without(names: string[], reserved: readonly string[]): string[] {
  return names.filter((name) => !reserved.includes(name))
}

test('the examples of claims collide as the table says', () => {
  const rows = tableOf(PLAN, 'Claims', 'one task writes')
  for (const [one = '', other = '', together] of rows) {
    const claims = [coded(one), coded(other)]
    const text = JSON.stringify({ tasks: claims.map((claim, i) => ({ id: `t${i}`, run: 'true', claims: claim })) })
    const read = readPlan(text, 'plan.json', DEFAULT_SETTINGS)
    assert.ok(read.ok)
    const [a, b] = read.value.plan.tasks.map((task) => task.claims.write[0] ?? '')
    assert.equal(together, overlaps(a ?? '', b ?? '') ? 'no' : 'yes', `${one} and ${other}`)
  }
  assert.ok(rows.length > 5)
})

test('statuses, outcomes, reasons, events and exit statuses are those of the code', () => {
  same(namesIn(STATUSES, 'Of a task', 'status'), TASK_STATUSES)
  same(namesIn(STATUSES, 'Of a run', 'status'), RUN_STATUSES)
  same(namesIn(STATUSES, 'Of an attempt', 'outcome'), OUTCOMES)
  same(namesIn(STATUSES, 'Why something failed', 'reason'), FAILURE_REASONS)
  const kinds = eventSchema.options.map(({ shape }) => shape.type.value)
  same(namesIn('docs/events.md', 'Events', 'event'), [...kinds, 'attempt.progress', 'plan-file.unwritten'])
  const exits = tableOf('docs/running.md', 'Exit statuses', 'status').map(([status]) => Number(status))
  assert.deepEqual(exits, Object.values(EXIT))
})

test('the variables that agents are said to see do reach them', () => {
  const names = tableOf('docs/command-agent.md', 'Its environment', 'kind').flatMap(([, list = '']) => coded(list))
  const parent = Object.fromEntries([...names.map((name) => name.replace('*', 'X')), 'GIT_DIR'].map((n) => [n, '1']))
  same(Object.keys(agentEnvironment(parent, ['GIT_*'])), without(Object.keys(parent), ['GIT_DIR']))
  assert.ok(names.length > 20)
})

test('the library page names everything that the library exports', () => {
  const text = pageText('docs/library.md')
  const missing = Object.keys(library).filter((name) => !new RegExp(`\`[^\`]*\\b${name}\\b`).test(text))
  assert.deepEqual(missing, [])
})

test('the signs of the statuses are the same in the documentation, in --help and in the program', async () => {
  const rows = tableOf(STATUSES, 'Of a task', 'status')
  assert.deepEqual(Object.fromEntries(rows.map(([status = '', sign]) => [coded(status)[0], sign])), STATUS_SIGN)
  const { out } = await espalierHere('/', ['status', '--help'])
  for (const [status, sign] of Object.entries(STATUS_SIGN)) {
    assert.match(out, new RegExp(`^  ${sign} ${status}\\b`, 'm'))
  }
})
