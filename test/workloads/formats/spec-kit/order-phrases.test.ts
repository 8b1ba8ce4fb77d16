// What a `tasks.md` says about the order of its tasks: at a task, and in lines of nothing but an order.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMarkdown } from '../../../../src/workloads/formats/markdown/lines.ts'
import { beginsTask, type Names, readTaskLines } from '../../../../src/workloads/formats/markdown/spec-kit-lines.ts'
import { edgesOf, problemsOf, read, remarks } from '../markdown-read.ts'

function nameOf({ first, last }: Names): string {
  return first === last ? first : `${first}-${last}`
}

describe('what a task waits for', () => {
  const cases: [text: string, waitsFor: string[]][] = [
    ['a (depends on T1, T3-T5)', ['T1', 'T3-T5']],
    ['a (deps: T5, T6, T8–T10)', ['T5', 'T6', 'T8-T10']],
    ['a [depends: T1]', ['T1']],
    ['a (blocked by T1)', ['T1']],
    ['a blocked-by: T44, T45', []],
    ['a - blocked-by: T44, T45', ['T44', 'T45']],
    ['a (after T1, T2)', ['T1', 'T2']],
    ['a (requires T1–T2)', ['T1-T2']],
    ['a. Depends on: T4; and more', ['T4']],
    ['  - Depends on: T2', ['T2']],
    ['  **Dependencies**: T1, T2', ['T1', 'T2']],
    ['a (depends on tasks T1 and T2)', ['T1', 'T2']],
    ['a (depends on T12 (the model), T13 (the table))', ['T12', 'T13']],
    ['a (depends on T12/T13 + T14 & T15)', ['T12', 'T13', 'T14', 'T15']],
    ['a (depends on T009..T011, T13 through T15)', ['T009-T011', 'T13-T15']],
    ['a (depends on T009-011)', ['T009-T011']],
    ['a (depends on T009-1)', ['T009']],
    ['a (depends on T001.1, T001.2-T001.4)', ['T001.1', 'T001.2-T001.4']],
    ['a (depends on T007-TEST, T008)', ['T007-TEST', 'T008']],
    ['a (depends on **T1**, `T2`, [T3]-[T5])', ['T1', 'T2', 'T3-T5']],
    // Words: they are told to the agent, and order nothing.
    ['a once T5 and T6 are complete', []],
    ['a (does not depend on T1), not blocked by T2', []],
    ['a which no longer depends on T1', []],
    ['a, after the meeting about T1', []],
    ['a (blocks T12), before T9, unblocks T3', []],
    ['a in parallel with T4, as in T5', []],
  ]
  for (const [text, waitsFor] of cases)
    test(text, () => {
      const { phases } = readTaskLines(readMarkdown(`- [ ] T99 x\n  ${text}`, beginsTask))
      assert.deepEqual(phases[0]?.tasks[0]?.waitsFor.map(nameOf), waitsFor)
    })

  test('below a task it counts as well, but not in a block of code', () => {
    const two = '- [ ] T1 [P] a\n- [ ] T2 [P] b\n'
    assert.equal(edgesOf(read(`${two}- [ ] T3 [P] c\n  - Depends on: T2\n`)).at(-1), 't3 ← t2')
    assert.equal(edgesOf(read(`${two}- [ ] T3 [P] c\n  \`\`\`\n  depends on T1\n  \`\`\`\n`)).at(-1), 't3')
  })

  test('one below the line has its own place', () => {
    assert.deepEqual(problemsOf('- [ ] T1 a\n  - Depends on: T9\n'), [
      'plan.md:2:17: task `T1` depends on `T9`, which does not exist',
    ])
  })

  test('what is struck out orders nothing', () => {
    assert.deepEqual(edgesOf(read('- [ ] T1 [P] a\n- [ ] T2 [P] b ~~(depends on T1)~~\n')), ['t1', 't2'])
  })
})

describe('a line of nothing but an order', () => {
  const cases: [text: string, orders: string[]][] = [
    ['- T1 → T2 → T3', ['T1 < T2', 'T2 < T3']],
    ['T1, T2 --> T3', ['T1 T2 < T3']],
    ['T85 => T86', ['T85 < T86']],
    ['T1 → T2 → {T3, T4} → T5', ['T1 < T2', 'T2 < T3 T4', 'T3 T4 < T5']],
    ['1. T1-T3 -> T4', ['T1-T3 < T4']],
    ['- **T5** depends on T1 and T4', ['T1 T4 < T5']],
    ['T4 (the page) depends on T3 (the model).', ['T3 < T4']],
    ['* T4: requires T3', ['T3 < T4']],
    ['T5 is blocked by T1', ['T1 < T5']],
    // With any other word it is for the agent.
    ['- T1 blocks T2, T3', []],
    ['Tests (T1, T2) before implementation (T5)', []],
    ['T4 depends on T3 and the database', []],
    ['T3 does not depend on T1', []],
    ['T4 depends on T3 → T2', []],
    ['T1 → b → T3', []],
    ['Once T1 is done, T2 can start', []],
    ['T1, T2', []],
    ['', []],
  ]
  for (const [text, orders] of cases)
    test(text || 'nothing', () => {
      const found = readTaskLines(readMarkdown(`# x\n## Dependencies\n${text}`, beginsTask)).orders.map(
        ({ earlier, later }) => [earlier, later].map((side) => side.map(nameOf).join(' ')),
      )
      assert.deepEqual(
        found.map((sides) => sides.join(' < ')),
        orders,
      )
    })

  const tasks = '## A\n- [ ] T1 [P] a\n- [ ] T2 [P] b\n- [ ] T3 [P] c\n- [x] T4 [P] d\n'
  test('is read below a heading about dependencies or the execution order, also in a block of code', () => {
    for (const lines of [
      '## Dependencies\n\n- T1 → T2 → T3',
      '## Dependencies & Execution Order\n### In A\n1. T1 → T2 → T3 (in this order)',
      '## Execution order\n```text\nT1 → T2 → T3\n```',
    ])
      assert.deepEqual(edgesOf(read(`${tasks}\n${lines}\n`)), ['t1', 't2 ← t1', 't3 ← t2'], lines)
  })

  test('elsewhere it is words: a chain may be the way of a single developer', () => {
    for (const lines of ['T1 → T2 → T3', '## Strategy\n### Single developer\n1. T1 → T2 → T3'])
      assert.deepEqual(edgesOf(read(`${tasks}\n${lines}\n`)), ['t1', 't2', 't3'], lines)
    const title = '# Tasks: Update the dependencies\n'
    assert.deepEqual(edgesOf(read(`${title}${tasks}\n## Notes\nT1 → T2\n`)), ['t1', 't2', 't3'])
  })

  test('against the order of the file it is only told', () => {
    const plan = read(
      '## A\n- [ ] T1 a\n- [ ] T2 b\n## B\n- [ ] T3 c\n## Dependencies\n- T2 → T1\n- T1 depends on T3\n',
    )
    assert.deepEqual(edgesOf(plan), ['t1', 't2 ← t1', 't3 ← t2'])
    assert.deepEqual(remarks(plan.source.assumed).slice(1), [
      '7: task `T1` does not wait for `T2`, which comes later here',
      '8: task `T1` does not wait for `T3`, which comes later here',
    ])
  })

  test('an order that the phases have anyway adds nothing', () => {
    const plan = read('## A\n- [ ] T1 a\n## B\n- [ ] T2 b\n## Dependencies\n- T1 → T2\n')
    assert.deepEqual((plan.source.document.value as { tasks: { needs?: string[] }[] }).tasks[1]?.needs, undefined)
  })

  test('tasks that do not exist are left out of it, which is told', () => {
    const plan = read(`${tasks}\n## Dependencies\n- T1-T9 → T3\n- T1, T8 → T2\n`)
    assert.deepEqual(edgesOf(plan), ['t1', 't2 ← t1', 't3'])
    assert.deepEqual(remarks(plan.source.assumed), [
      '8: the order in this line is kept without `T9`, which does not exist',
      '9: the order in this line is kept without `T8`, which does not exist',
    ])
    assert.deepEqual(plan.warnings, [])
  })
})

describe('numbers with parts', () => {
  test('are numbers of tasks', () => {
    const plan = read(
      '- [ ] T001 a\n  - [ ] T001.1 [P] b\n  - [ ] T001.2 [P] c (depends on T001.1)\n- [ ] [T002.1.3] d\n',
    )
    assert.deepEqual(edgesOf(plan), ['t001', 't001-1', 't001-2 ← t001-1', 't002-1-3 ← t001 t001-1 t001-2'])
    assert.deepEqual(
      plan.source.entries.map(({ source }) => source),
      ['T001', 'T001.1', 'T001.2', 'T002.1.3'],
    )
  })

  test('may end in a word', () => {
    const plan = read('- [ ] T007-TEST [P] a\n- [ ] T007 [P] b (depends on T007-TEST)\n- [x] T008-B: c\n')
    assert.deepEqual(edgesOf(plan), ['t007-test', 't007 ← t007-test'])
    assert.deepEqual(
      plan.source.entries.map(({ source, state }) => `${source} ${state}`),
      ['T007-TEST open', 'T007 open', 'T008-B done'],
    )
    assert.deepEqual(plan.warnings, [])
  })

  test('which is there twice is refused', () => {
    assert.deepEqual(problemsOf('- [ ] T1.1 a\n- [ ] T1.1 b\n'), [
      'plan.md:2:7: there are two tasks `T1.1`; the first is in line 1',
    ])
  })
})
