// What a `tasks.md` says about the order of its tasks in words: at a task, and in a section such as `Dependencies`.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Group, Range } from '../../../../src/workloads/formats/spec-kit/names.ts'
import { orderOf } from '../../../../src/workloads/formats/spec-kit/orders.ts'
import { referencesIn } from '../../../../src/workloads/formats/spec-kit/references.ts'
import { edgesOf, problemsOf, read, remarks } from '../markdown-read.ts'

function nameOf(named: Range | Group): string {
  if ('group' in named) return `${named.group}${named.name === '' ? '' : ` ${named.name}`}`
  return named.first === named.last ? named.first : `${named.first}-${named.last}`
}

/** `< T1`: it waits for that; `> T1`: that waits for it; `soft` where it only should. */
function said(text: string): string[] {
  const { waitsFor, inPassing } = referencesIn(text, 1)
  const soft = (isSoft: boolean): string => (isSoft ? ' soft' : '')
  return [
    ...waitsFor.map(({ named, isSoft }) => `< ${nameOf(named)}${soft(isSoft)}`),
    ...inPassing.map(({ named, isSoft, isBefore }) => `${isBefore ? '>' : '<'} ${nameOf(named)}${soft(isSoft)}`),
  ]
}

describe('what a task waits for in words', () => {
  const cases: [text: string, says: string[]][] = [
    ['a (dep: T5)', ['< T5']],
    ['a (deps: T5, T6, T8–T10)', ['< T5', '< T6', '< T8-T10']],
    ['a once T5 and T6 are complete', ['< T5', '< T6']],
    ['a (T15 must be finished first)', ['< T15']],
    ['a: T3 and T4 first', ['< T3', '< T4']],
    ['a, T1-T3 have to be done', ['< T1-T3']],
    ['a blocked-by:T44', ['< T44']],
    ['a blocked-by: T44, T45', ['< T44', '< T45']],
    ['a, waits on T4', ['< T4']],
    ['a, prerequisite: T3', ['< T3']],
    ['a. Builds on T22.', ['< T22']],
    ['a; needs the result of T9', ['< T9']],
    ['a (depends on completion of T3)', ['< T3']],
    ['a (after both T3 and T4)', ['< T3', '< T4']],
    ['a (after T29 or T28)', ['< T29', '< T28']],
    ['a (depends on T12 (the model), T13 (the table))', ['< T12', '< T13']],
    ['a (depends on T12/T13 + T14 & T15)', ['< T12', '< T13', '< T14', '< T15']],
    ['a (depends on T009..T011)', ['< T009-T011']],
    ['a (depends on T009…T011, T13 through T15)', ['< T009-T011', '< T13-T15']],
    ['a (depends on T009-011)', ['< T009-T011']],
    ['a (depends on T009-1)', ['< T009']],
    ['a (depends on T001.1, T001.2-T001.4)', ['< T001.1', '< T001.2-T001.4']],
    ['a (depends on all above)', ['< above']],
    ['a, after all of the previous tasks', ['< above']],
    ['a depends on US1', ['< story US1']],
    ['a (requires User Story 2 and US3)', ['< story US2', '< story US3']],
    ['a (depends on Phase 2)', ['< phase 2']],
    ['a (must not start before T4)', ['< T4']],
    ['a, cannot begin until T4 is there', ['< T4']],
    ['a (blocked until T4)', ['< T4']],
    // Others wait for it.
    ['a (blocks T12)', ['> T12']],
    ['a blocks:T45', ['> T45']],
    ['a. Must be done before T9', ['> T9']],
    ['a (prerequisite for T9, T10)', ['> T9', '> T10']],
    ['a, unblocks T9', ['> T9']],
    // Not needed.
    ['a (depends on T4, T5 (soft))', ['< T4', '< T5 soft']],
    ['a (soft dependency on T5)', ['< T5 soft']],
    ['a, ideally after T5', ['< T5 soft']],
    ['a. Depends: T4; Soft: T5', ['< T4', '< T5 soft']],
    ['a (depends on T1, T2; T3 optional)', ['< T1', '< T2', '< T3 soft']],
    ['soft delete depends on T5 (soft delete model), T6', ['< T5', '< T6']],
    ['an optional field, added after T5', ['< T5']],
    // No order, or not one of this task.
    ['a, independent of T25, no dependency on T4', []],
    ['a (depends on T24 being merged, not on T25)', ['< T24']],
    ['a (requires T15; parallel with T14)', ['< T15']],
    ['a depends on T3, T4 can run at once', ['< T3']],
    ['a can run before T5, before or after T6', []],
    ['a does not block T5', []],
    ['a (T3 must be done before T6)', []],
    ['a uses a mock until T5', []],
    ['Nothing blocks T2, nothing here blocks T3, no task blocks T4', []],
    ['a was blocking T2. Make the non-blocking T3 call', []],
    ['Same as before, T2 style', []],
    ["a does not need to wait until T5, doesn't depend on T6", []],
  ]
  for (const [text, says] of cases) test(text, () => assert.deepEqual(said(text), says))

  test('all above, a story and a phase are tasks of its own phase', () => {
    const plan = read(
      '## Phase 1\n- [ ] T1 [P] a\n## Phase 2\n- [ ] T2 [P] [US1] b\n- [ ] T3 [P] c\n- [ ] T4 [P] d (depends on all above)\n' +
        '- [ ] T5 [P] [US2] e (depends on US1)\n- [ ] T6 [P] [US1] f\n- [ ] T7 [P] g (depends on Phase 1)\n- [ ] T8 [P] h (depends on Phase 2)\n' +
        '- [ ] T9 [US1] i\n',
    )
    assert.deepEqual(edgesOf(plan), [
      't1',
      't2 ← t1',
      't3 ← t1',
      't4 ← t2 t3',
      't5 ← t2 t6',
      't6 ← t1',
      't7 ← t1',
      't8 ← t2 t3 t4 t5 t6 t7',
      't9 ← t2 t3 t4 t5 t6 t7 t8',
    ])
    assert.deepEqual(plan.source.warnings, [])
  })

  test('one that is not there, or comes later, is a warning', () => {
    const plan = read(
      '## Phase 1\n- [ ] T1 [P] a (depends on US7)\n- [ ] T2 [P] b (after Phase 2)\n## Phase 2\n- [ ] T3 c\n',
    )
    assert.deepEqual(remarks(plan.source.warnings), [
      '2: task `T1` does not wait for `US7`: there is no such story in this file',
      '3: task `T2` does not wait for `Phase 2`, which comes later here',
    ])
  })

  test('what only should come later is no need, and gives way in a circle', () => {
    const plan = read(
      '- [ ] T1 [P] a (soft: after T2)\n- [ ] T2 [P] b (depends on T1)\n- [ ] T3 [P] c (after T1 (soft), needs T2)\n',
    )
    assert.deepEqual(edgesOf(plan), ['t1', 't2 ← t1', 't3 ← t2 (t1)'])
  })

  test('one that others wait for makes them wait', () => {
    const plan = read('- [ ] T1 [P] a\n- [ ] T2 [P] b (blocks T1, T3)\n- [ ] T3 [P] c\n- [x] T4 [P] d (blocks T3)\n')
    assert.deepEqual(edgesOf(plan), ['t1 ← t2', 't2', 't3 ← t2'])
    assert.deepEqual(edgesOf(read('- [ ] T1 [P] a\n- [ ] T2 [P] Blocks T3\n- [ ] T3: [P] Before T1\n')), [
      't1 ← t3',
      't2',
      't3 ← t2',
    ])
    assert.deepEqual(remarks(read('- [ ] T1 [P] a (blocks T9)\n').source.assumed), [
      '1: the order in this line is kept without `T9`, which does not exist',
    ])
  })

  test('what is said in passing means nothing against the order of the file', () => {
    const plan = read(
      '## A\n- [ ] T1 [P] a once T3 is there\n- [ ] T2 b\n- [ ] T3 c, for builds before T2 landed\n## B\n- [ ] T4 d (before T1)\n',
    )
    assert.deepEqual(edgesOf(plan), ['t1', 't2 ← t1', 't3 ← t2', 't4 ← t3'])
    assert.deepEqual(remarks(plan.source.assumed), [
      '2: task `T1` does not wait for `T3`, which comes later here',
      '4: task `T2` does not wait for `T3`, which comes later here',
      '5: every heading with tasks is a phase, which waits for the whole one above it',
      '6: task `T1` does not wait for `T4`, which comes later here',
    ])
  })

  test('what is struck out orders nothing', () => {
    assert.deepEqual(edgesOf(read('- [ ] T1 [P] a\n- [ ] T2 [P] b ~~(depends on T1)~~\n')), ['t1', 't2'])
  })

  test('all pairs without an order are named, and those that are said to have none are not', () => {
    const many = Array.from({ length: 15 }, (_, i) => `- [ ] T${i + 2} [P] as T1\n`).join('')
    const [told] = remarks(
      read(`- [ ] T1 [P] a\n${many}- [ ] T99 [P] in parallel with T1, independent of T2\n`).source.assumed,
    )
    for (let i = 2; i <= 16; i++) assert.match(told ?? '', new RegExp(`T${i} and T1(?:,|$)`))
    assert.doesNotMatch(told ?? '', /T99/)
  })
})

/** `T1 T2 < T3`: the first come before the last. */
function orders(text: string): string[] {
  return orderOf(text, 1).orders.map(({ earlier, later, isSoft }) => {
    const [first, last] = [earlier, later].map((side) => side.map(nameOf).join(' '))
    return `${first} < ${last}${isSoft ? ' soft' : ''}`
  })
}

describe('a line about the order', () => {
  const cases: [text: string, says: string[]][] = [
    ['T17 cannot start until T16', ['T16 < T17']],
    ['T20 must not run before T19', ['T19 < T20']],
    ['Never start T72 before T73', ['T73 < T72']],
    ['T85 => T86', ['T85 < T86']],
    ['T44 ← T45', ['T45 < T44']],
    ['T66 is a prerequisite for T67', ['T66 < T67']],
    ['T62 unblocks T63', ['T62 < T63']],
    ['T70 follows T71', ['T71 < T70']],
    ['T41 waits on T40', ['T40 < T41']],
    ['T6 blocks on T5', ['T5 < T6']],
    ['T50, T51 can start once T49 is done', ['T49 < T50 T51']],
    ['T1 → T2 → {T3, T4} → T5', ['T1 < T2', 'T2 < T3 T4', 'T3 T4 < T5']],
    ['T1 → T2/T3 → T4', ['T1 < T2 T3', 'T2 T3 < T4']],
    ['T3 before T4, T4 before T5', ['T3 < T4', 'T4 < T5']],
    ['T12 blocks T13 (component before page)', ['T12 < T13']],
    ['After Phase 3 (T3 must be done before T6 since T7 adds a field)', ['T3 < T6']],
    [
      'T4 can start once T1 is done (UI only). T5 depends on T4. T6 depends on T2, T3.',
      ['T1 < T4', 'T4 < T5', 'T2 T3 < T6'],
    ],
    ['T28 depends on T27, but T29 does not', ['T27 < T28']],
    ['T7, T8 can be done in parallel with T4/T5 but must be done before T9', ['T7 T8 < T9']],
    ['T12 and T13 are independent; T14 needs both', ['T12 T13 < T14']],
    ['T30 (depends on T29) can run in parallel with T31', ['T29 < T30']],
    ['T30 depends on T29, in parallel with T31', ['T29 < T30']],
    ['T1 before T2 (which needs T3)', ['T1 < T2', 'T3 < T2']],
    ['T60 can run in parallel with T61 after T59', ['T59 < T60 T61']],
    ['T52 should run after T51 (soft)', ['T51 < T52 soft']],
    ['T53 (soft delete) blocks T54', ['T53 < T54']],
    ['Soft: T51 before T52', ['T51 < T52 soft']],
    ['Once T1 is done, T2 can start', ['T1 < T2']],
    ['- **After** T1, T3 can start', ['T1 < T3']],
    ['After T1 and T2, T3 and T4 can run in parallel', ['T1 T2 < T3 T4']],
    ['Once T1, T2 and T3 are done, T4, T5 may begin', ['T1 T2 T3 < T4 T5']],
    ['T9 is small; after T1, T3 can start', ['T1 < T3']],
    ['After T1, T2, T3 can start', []],
    ['After T1, T2 does not have to wait', []],
    ['After T1, T2 blocks T3', []],
    ['After T1, T2', []],
    ['T33 may run before T32', []],
    ['T21 before or after T22', []],
    ["T34 doesn't need to wait for T35, T23 does not block T24", []],
    ['T15 blocks nothing', []],
    ['`T16` blocks `T9` passing', []],
    ['T16 must be green before T17', ['T16 < T17']],
    ['T1 before T2, T3 before T5', []],
  ]
  for (const [text, says] of cases) test(text, () => assert.deepEqual(orders(text), says))

  test('where it names tasks and no order, those that have none are told', () => {
    const tasks = '## A\n- [ ] T1 [P] a\n- [ ] T2 [P] b\n- [ ] T3 [P] c\n- [ ] T4 d\n'
    const plan = read(
      `${tasks}## Dependencies\n- Order: T1, T2\n- T3 and T4: see T9\n- T2 and T3 can run in parallel\n`,
    )
    assert.deepEqual(remarks(plan.source.assumed), [
      '7: these run in any order although a line about the order names both (write `T001 before T002`; line 7): T1 and T2',
    ])
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

  test('which is there twice is refused', () => {
    assert.deepEqual(problemsOf('- [ ] T1.1 a\n- [ ] T1.1 b\n'), [
      'plan.md:2:7: there are two tasks `T1.1`; the first is in line 1',
    ])
  })
})
