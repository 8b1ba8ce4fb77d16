// Lines of a `tasks.md` that are nearly those of a task, and phases that nobody is to do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks } from '../markdown-read.ts'

describe('a task that is not run is named', () => {
  for (const line of [
    ...['-[ ] T002 b', '1.[ ] T002 b', '> - [ ] T002 b', '- T002 b', '- [] T002 b', '- [ ] Task T002: b'],
    ...['- [ ] (T002) b', '- [ ] T-002 b', '- [ ] t002 b'],
  ])
    test(line, () => {
      const plan = read(`- [ ] T001 a\n${line}\n- [ ] T003 c\n`)
      assert.deepEqual(edgesOf(plan), ['t001', 't003 ← t001'])
      assert.deepEqual(
        plan.warnings.map(({ line, message }) => [line, message.split('.')[0]]),
        [[2, 'task `T002` is not run']],
      )
    })

  for (const line of ['- [ ] Task T001: b', '- [ ] Test the reader', '- [ ] Task 2', '-T002', '> T002 is late'])
    test(`${line} is none`, () => assert.deepEqual(read(`- [ ] T001 a\n${line}\n`).warnings, []))
})

describe('a phase that nobody is to do', () => {
  const heads: [head: string, why: string][] = [
    ['## Phase 2: Export — DEFERRED', 'called `DEFERRED`'],
    ['## Phase 2: Export (DEFERRED to v2)', 'called `DEFERRED`'],
    ['## Phase 2: Export [SKIPPED]', 'called `SKIPPED`'],
    ['## Phase 2: [SKIPPED] Export', 'called `SKIPPED`'],
    ['## ~~Phase 2: Export~~', 'struck out'],
    ['## Phase 2: Export — CANCELLED\n\n### Tests', 'called `CANCELLED`'],
    ['## Phase 2: Export\n\n**Status**: Deferred to v2.', 'called `Deferred`'],
  ]
  for (const [head, why] of heads)
    test(JSON.stringify(head), () => {
      const plan = read(
        `## Phase 1\n- [ ] T001 a\n${head}\n\n- [ ] T002 b\n## Phase 3\n- [ ] T003 c (depends on T002)\n`,
      )
      assert.deepEqual(
        plan.source.entries.map(({ state }) => state),
        ['open', 'skipped', 'open'],
      )
      assert.ok(
        remarks(plan.source.assumed).some((one) =>
          one.endsWith(`task \`T002\` is in a phase that is ${why}: left out, and nothing waits for it`),
        ),
      )
    })

  const open = [
    '## Phase 2: Show SKIPPED tests',
    '## Phase 2: Filter (archived)',
    '## Phase 2\n**Status**: In progress',
  ]
  for (const head of open)
    test(`${JSON.stringify(head)} is to be done`, () =>
      assert.deepEqual(
        read(`${head}\n\n- [ ] T001 a\n`).source.entries.map(({ state }) => state),
        ['open'],
      ))
})

test('a tick in the box is done', () => {
  const plan = read('- [✓] T1 a\n- [✔] T2 b\n- [✅] T3 c\n- [ ] T4 d\n')
  assert.deepEqual(
    plan.source.entries.map(({ state }) => state),
    ['done', 'done', 'done', 'open'],
  )
  assert.deepEqual(remarks(plan.source.assumed), [])
})
