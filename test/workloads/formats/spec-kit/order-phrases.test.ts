// What a task of a `tasks.md` says about what it waits for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, problemsOf, read, taskOf } from '../markdown-read.ts'

describe('what a task waits for', () => {
  const cases: [text: string, waitsFor: string[]][] = [
    ['a (depends on T1, T3-T5)', ['T1', 'T3', 'T4', 'T5']],
    ['a (deps: T5, T6, T8–T10)', ['T5', 'T6', 'T8', 'T9', 'T10']],
    ['a [depends: T1]', ['T1']],
    ['a (blocked by T1)', ['T1']],
    ['a blocked-by: T44, T45', []],
    ['a - blocked-by: T44, T45', ['T44', 'T45']],
    ['a (after T1, T2)', ['T1', 'T2']],
    ['a (requires T1–T2)', ['T1', 'T2']],
    ['a. Depends on: T4; and more', ['T4']],
    ['  - Depends on: T2', ['T2']],
    ['  **Dependencies**: T1, T2', ['T1', 'T2']],
    ['a (depends on tasks T1 and T2)', ['T1', 'T2']],
    ['a (depends on T12 (the model), T13 (the table))', ['T12', 'T13']],
    ['a (depends on T12/T13 + T14 & T15)', ['T12', 'T13', 'T14', 'T15']],
    ['a (depends on T009..T011, T13 through T15)', ['T009', 'T010', 'T011', 'T13', 'T14', 'T15']],
    ['a (depends on T009-011)', ['T009', 'T010', 'T011']],
    ['a (depends on T009-1)', ['T009']],
    ['a (depends on T001.1, T001.2-T001.4)', ['T001.1', 'T001.2', 'T001.3', 'T001.4']],
    ['a (depends on T007-TEST, T008)', ['T007-TEST', 'T008']],
    ['a (depends on **T1**, `T2`, [T3]-[T5])', ['T1', 'T2', 'T3', 'T4', 'T5']],
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
      const named = new Set([...waitsFor, ...(text.match(/\bT\d+(?:\.\d+)?(?:-TEST)?/g) ?? [])])
      const others = [...named].map((name) => `- [ ] ${name} [P] x\n`).join('')
      const { needs } = taskOf(read(`${others}- [ ] T99 [P] x\n  ${text}\n`), 't99')
      assert.deepEqual(
        needs,
        waitsFor.map((name) => name.toLowerCase().replaceAll('.', '-')),
      )
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
})

test('a line elsewhere in the file orders nothing', () => {
  const plan = read('## A\n- [ ] T1 [P] a\n- [ ] T2 [P] b\n\n## Dependencies\n- T2 depends on T1\n- T1 → T2\n')
  assert.deepEqual(edgesOf(plan), ['t1', 't2'])
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
