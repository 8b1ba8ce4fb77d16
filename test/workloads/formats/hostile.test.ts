// Files nobody would write by hand, each made so that something in a reader could be done once for every task, tag or
// heading instead of once. The bound is far above what they take, and far below what they took.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimsOf } from '../../../src/workloads/formats/claims-from-paths.ts'
import type { Format } from '../../../src/workloads/formats/format.ts'
import { beads } from '../../../src/workloads/formats/json/beads.ts'
import { epicsAndTasks } from '../../../src/workloads/formats/json/epics-and-tasks.ts'
import { implementationPlan } from '../../../src/workloads/formats/json/implementation-plan.ts'
import { taskMaster } from '../../../src/workloads/formats/json/task-master.ts'
import { batchPlan } from '../../../src/workloads/formats/markdown/batch-plan.ts'
import { gsdPlan } from '../../../src/workloads/formats/markdown/gsd-plan.ts'
import { specKit } from '../../../src/workloads/formats/markdown/spec-kit.ts'
import { processorMs } from '../../rig/processor-time.ts'

const SOON_MS = 5_000

function soon<T>(read: () => T): T {
  const start = processorMs()
  const result = read()
  const took = processorMs() - start
  assert.ok(took < SOON_MS, `it took ${took.toFixed(0)} ms`)
  return result
}

function translate(format: Format, text: string, file = 'p.md'): void {
  const result = soon(() => format.translate([{ file, text }], { part: null, checks: [] }))
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.problems.slice(0, 3)))
}

function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

describe('words around very many tasks', () => {
  const TASKS = 1_600
  /** A list, because that has to be put together before it is a text. */
  const words = many(1_000, () => 'w '.repeat(2_500))
  const long = words.join('')
  const open = (i: number) => ({ id: i + 1, title: 's', status: 'pending' })

  test('epics and tasks', () => {
    const epics = [{ id: 1, name: 'e', description: words }]
    const tasks = many(TASKS, (i) => ({ id: i + 1, epic_id: 1, description: 'd' }))
    translate(epicsAndTasks, JSON.stringify({ project: 'p', epics, tasks }), 'p.json')
  })
  test('task-master', () => {
    const task = { ...open(0), details: words, subtasks: many(TASKS, open) }
    translate(taskMaster, JSON.stringify({ tasks: [task] }), 'p.json')
  })
  test('beads', () => {
    const epic = { id: 'p-e', title: 'e', status: 'open', issue_type: 'epic', description: words }
    const below = [{ depends_on_id: 'p-e', type: 'parent-child' }]
    const issues = many(TASKS, (i) => ({ id: `p-${i}`, title: 's', status: 'open', dependencies: below }))
    translate(beads, [epic, ...issues].map((issue) => JSON.stringify(issue)).join('\n'), 'p.jsonl')
  })
  test('implementation plan', () => {
    const subtasks = many(TASKS, (i) => ({ id: `s-${i}`, description: 'd' }))
    const phases = [{ phase: 1, name: words, description: words, subtasks }]
    translate(implementationPlan, JSON.stringify({ feature: long, final_acceptance: words, phases }), 'p.json')
  })
  test('batch plan', () => {
    const tasks = many(TASKS, (i) => `### Task 1.${i}: t\n`).join('')
    translate(batchPlan, `# ${long}\n## Batch 1: ${long}\n${tasks}`)
  })
  test('spec-kit, in titles', () => {
    const phases = many(TASKS, (i) => `### P${i}\n- [ ] T${i} do\n`).join('')
    translate(specKit, `# Tasks: ${long}\n## ${long}\n${phases}`)
  })
  test('spec-kit, in lines below a heading', () => {
    const phases = many(TASKS, (i) => `## P${i}\n- [ ] T${i} do\n`).join('')
    const text = `# Tasks: x\n\n${many(190, () => 'w '.repeat(20_000)).join('\n')}\n\n${phases}`
    translate(specKit, text)
  })
})

describe('very many of something small', () => {
  test('elements in one line', () => {
    translate(gsdPlan, `---\nphase: 1\nplan: 1\n---\n${'<name></name>'.repeat(100_000)}\n`, '01-01-PLAN.md')
  })
  test('batches that wait for batches without tasks', () => {
    const plan = (count: number): string => {
      const empty = many(count, (i) => `## Batch ${i + 1}: e\n`).join('')
      const full = many(count, (i) => `## Batch ${count + i + 1}\n**Dependencies:** Batch ${count}\n### Task ${i}.1\n`)
      return `# P\n${empty}${full.join('')}`
    }
    translate(batchPlan, plan(500))
    const refused = soon(() => batchPlan.translate([{ file: 'p.md', text: plan(10_000) }], { part: null, checks: [] }))
    assert.match(JSON.stringify(refused), /more than 500000 needs and claims/)
  })
  test('tasks of a batch that names very many', () => {
    const [first, second] = [1, 2].map((batch) => many(10_000, (i) => `### Task ${batch}.${i}\n`).join(''))
    const text = (names: string): string => `## Batch 1\n${first}## Batch 2\n**Dependencies:**\n${names}${second}`
    translate(batchPlan, text('- Batch 1\n'.repeat(20_000)))
    translate(batchPlan, text('- Task 1.1\n'.repeat(20_000)))
    const refused = soon(() =>
      batchPlan.translate([{ file: 'p.md', text: text('- Tasks 1.1-1.9999\n') }], { part: null, checks: [] }),
    )
    assert.match(JSON.stringify(refused), /more than 500000 needs and claims/)
  })
  test('files of a GSD plan whose tasks name none', () => {
    const files = many(4_000, (i) => `f${i}`).join(', ')
    const front = `---\nphase: 1\nplan: 1\nfiles_modified: [${files}]\n---\n`
    const text = front + '<task><name>n</name></task>\n'.repeat(20_000)
    const refused = soon(() => gsdPlan.translate([{ file: '01-01-PLAN.md', text }], { part: null, checks: [] }))
    assert.match(JSON.stringify(refused), /more than 500000 needs and claims/)
  })
  test('lines of a tasks.md that wait for very many', () => {
    const text = many(30_000, (i) => `- [ ] T${i} [P] x (depends on T0-T${Math.max(i - 1, 0)})\n`).join('')
    const refused = soon(() => specKit.translate([{ file: 'p.md', text }], { part: null, checks: [] }))
    assert.match(JSON.stringify(refused), /more than 500000 needs and claims/)
  })
  test('words of one line of a tasks.md', () => {
    for (const words of ['(depends on T1 ', 'depends on T1 (a), ', 'T1; ', 'T1 → ', '~~', '. after ', '*_*_'])
      translate(specKit, `- [ ] T1 [P] ${words.repeat(20_000)}\n## Dependencies\n- ${words.repeat(20_000)}\n`)
  })
  test('paths to write and to read', () => {
    const count = 100_000
    const [write, read] = ['w', 'r'].map((name) => many(count, (i) => `src/${name}/${i}.ts`)) as [string[], string[]]
    assert.deepEqual(
      soon(() => claimsOf({ write, read })),
      { claims: { write, read } },
    )
  })
})
