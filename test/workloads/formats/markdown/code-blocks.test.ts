import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMarkdown } from '../../../../src/workloads/formats/markdown/lines.ts'
import { processorMs } from '../../../rig/processor-time.ts'
import { edgesOf, read, taskOf } from '../markdown-read.ts'

/** A document in a code block with a block of its own, as models write it. */
const GUIDE = '```markdown\n# Guide\n\n```bash\nnpm install\n```\n\nThen start it.\n```\n'

describe('where code blocks end', () => {
  /** `.` for a line outside, `q` for one inside. */
  const shape = (text: string): string =>
    readMarkdown(text)
      .lines.map(({ isQuoted }) => (isQuoted ? 'q' : '.'))
      .join('')
  const cases: [name: string, text: string, shape: string][] = [
    ['a block in a block', '```md\n```sh\nx\n```\n```\n.', 'qqqqq.'],
    ['two of them in one', '```md\n```sh\n```\n```js\n```\n```\n.', 'qqqqqq.'],
    ['in a longer fence all is code', '````md\n```sh\n```\n````\n.', 'qqqq.'],
    ['tildes do not end backticks', '```md\n~~~sh\n```\n.', 'qqq.'],
    ['a fence within that has no end: the rules hold', '```md\n```sh\n```\n.', 'qqq.'],
    ['a task in a block stays in it', '```md\n# Task\n```\n.', 'qqq.'],
    ['no end', '```js\nx\n.', 'qqq'],
  ]
  for (const [name, text, expected] of cases) test(name, () => assert.equal(shape(text), expected))

  test('very many without an end are read soon', () => {
    for (const text of ['```a\n', '```a\n# Task\n', '```\n# Task\n', '```a\n~~~b\n', '````a\n```\n']) {
      const start = processorMs()
      readMarkdown(text.repeat(200_000))
      assert.ok(processorMs() - start < 5_000, text)
    }
  })
})

describe('a document in a code block loses no task', () => {
  test('of a batch plan', () => {
    const text = `## Batch 1\n**Dependencies:** None\n### Task 1.1\n\n${GUIDE}\n### Task 1.2\n\n\`\`\`js\ndrop()\n\`\`\`\n\n**Verification:**\n- npm test\n\n### Task 1.3\n**Dependencies:** Task 1.1\n`
    const plan = read(text)
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1'])
    assert.deepEqual(taskOf(plan, 'task-1-1').verify, [])
    assert.deepEqual(taskOf(plan, 'task-1-2').verify, ['npm test'])
  })

  test('of a tasks.md', () => {
    const below = GUIDE.replace(/^(?=.)/gm, '  ')
    assert.deepEqual(edgesOf(read(`- [ ] T1 a\n\n${below}- [ ] T2 b\n\n  \`\`\`js\n  x\n  \`\`\`\n- [ ] T3 c\n`)), [
      't1',
      't2 ← t1',
      't3 ← t2',
    ])
  })

  test('of a GSD plan', () => {
    const task = (name: string): string => `<task>\n<name>${name}</name>\n<action>\n${GUIDE}</action>\n</task>\n`
    const plan = read(`---\nphase: 1\nplan: 1\n---\n${task('a')}${task('b')}`)
    assert.deepEqual(edgesOf(plan), ['task-01-01-1', 'task-01-01-2 ← task-01-01-1'])
  })

  test('one without an end takes in all that follows, and a warning says so', () => {
    const plan = read('## Batch 1\n### Task 1.1\n```js\nx\n### Task 1.2\ny\n')
    assert.deepEqual(edgesOf(plan), ['task-1-1'])
    assert.deepEqual(
      plan.warnings.map(({ line, message }) => `${line}: ${message}`),
      ['3: this code block has no end: all that follows is part of it, and no task in it is run'],
    )
  })
})
