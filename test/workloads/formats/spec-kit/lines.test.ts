// Lines of a `tasks.md` that are nearly those of a task, and phases that nobody is to do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks } from '../markdown-read.ts'

describe('a task that is not run is named', () => {
  for (const line of [
    ...['-[ ] T002 b', '1.[ ] T002 b', '> - [ ] T002 b', '- T002 b', '- [] T002 b', '- [ ] Task T002: b'],
    ...['- [ ] (T002) b', '2. **T002**: b'],
  ])
    test(line, () => {
      const plan = read(`- [ ] T001 a\n${line}\n- [ ] T003 c\n`)
      assert.deepEqual(edgesOf(plan), ['t001', 't003 ← t001'])
      assert.deepEqual(
        plan.warnings.map(({ line, message }) => [line, message.replace(/ \(.*\)/, '')]),
        [[2, 'tasks that are not run: `T002`']],
      )
    })

  for (const line of ['- [ ] Task T001: b', '- [ ] Test the reader', '- [ ] Task 2', '-T002', '> T002 is late'])
    test(`${line} is none`, () => assert.deepEqual(read(`- [ ] T001 a\n${line}\n`).warnings, []))
})

test('a tick in the box is done', () => {
  const plan = read('- [✓] T1 a\n- [✔] T2 b\n- [✅] T3 c\n- [ ] T4 d\n')
  assert.deepEqual(
    plan.source.entries.map(({ state }) => state),
    ['done', 'done', 'done', 'open'],
  )
  assert.deepEqual(remarks(plan.source.assumed), [])
})
