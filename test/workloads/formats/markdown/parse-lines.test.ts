import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../../src/config.ts'
import { formatProblem } from '../../../../src/problem.ts'
import { readMarkdown } from '../../../../src/workloads/formats/markdown/lines.ts'
import { readFrontMatter } from '../../../../src/workloads/formats/markdown/plan-draft.ts'
import { readPlan } from '../../../../src/workloads/plan/read.ts'
import { processorMs } from '../../../rig/processor-time.ts'

describe('headings', () => {
  const cases: [line: string, level: number, title: string][] = [
    ['# a', 1, 'a'],
    ['   ###### a b ##', 6, 'a b'],
    ['##\ta', 2, 'a'],
    ['## C#', 2, 'C#'],
    ['##', 2, ''],
    ['#a', 0, ''],
    ['####### a', 0, ''],
    ['    # code', 0, ''],
  ]
  for (const [line, level, title] of cases)
    test(line, () => {
      const { heading } = readMarkdown(line).lines[0] ?? assert.fail()
      assert.deepEqual([heading?.level ?? 0, heading?.title ?? ''], [level, title])
    })
})

describe('what is quoted has no headings', () => {
  const cases: [name: string, text: string][] = [
    ['a fence', '```\n# a\n```'],
    ['a longer fence with a shorter one inside', '````md\n```\n# a\n```\n````'],
    ['tildes with backticks inside', '~~~\n```\n# a\n~~~'],
    ['a fence in a list', '- x\n\n      ```\n# a\n      ```'],
    ['a comment', '<!--\n# a\n-->'],
    ['a fence without end', 'x\n```\n# a'],
  ]
  for (const [name, text] of cases)
    test(name, () => {
      const { lines } = readMarkdown(text)
      assert.deepEqual(
        lines.filter(({ heading }) => heading),
        [],
      )
      assert.deepEqual(
        lines.filter(({ text }) => text === '# a').map(({ isQuoted }) => isQuoted),
        [true],
      )
    })
  test('what follows has', () => {
    const { lines, openFence } = readMarkdown('```\nx\n```\n# a\n<!-- b -->\n# b\n```code```\n# c')
    assert.deepEqual(
      lines.flatMap(({ heading }) => heading?.title ?? []),
      ['a', 'b', 'c'],
    )
    assert.equal(openFence, null)
  })
})

test('the fields at the top have the places of the file', () => {
  const read = readFrontMatter({ file: 'a.md', text: '---\r\nname: a\r\nneeds: [1, 2]\r\n---\r\nbody\r\n' })
  assert.ok(read.ok)
  assert.deepEqual(read.value.fields, { name: 'a', needs: [1, 2] })
  assert.deepEqual(read.value.locate([{ path: ['needs', 1], at: 'value' }]), [{ line: 3, column: 12 }])
  assert.equal(read.value.lines, 4)
})

describe('huge files are read or refused soon', () => {
  const MB = 1 << 20
  /** Far above what it takes, far below what it would take without the limits. */
  const SOON_MS = 20_000
  const front = '---\nphase: 1\nplan: 1\n---\n'
  const cases: [name: string, text: string, says: RegExp | null, format?: string][] = [
    [
      'more than there may be',
      '- [ ] T1 x\n'.repeat(2 * MB),
      /^p\.md:1:1: 22\.0 MB is more than a plan in Markdown may have \(16 MB\)$/,
    ],
    ['too many tasks', numbered(100_001, (i) => `- [ ] T${i} x\n`), /^p\.md:1:1: 100001 tasks are more than/],
    [
      'ranges that come to too much',
      numbered(2_000, (i) => `- [ ] T${i} [P] (depends on T0-T${i})\n`),
      /more than 500000 needs and claims$/,
    ],
    ['a heading of spaces', `## Batch 1${' '.repeat(MB / 4)}x\n### Task 1.1\n`, null, 'batch-plan'],
    ['backticks', '`'.repeat(MB / 4), /there is no batch/, 'batch-plan'],
    [
      'elements without end',
      front + '<task>'.repeat(MB / 4),
      /^p\.md:5:1: `<task>` begins here and has no `<\/task>`$/,
    ],
    ['attributes', `${front}<task ${'a="b" '.repeat(MB / 4)}>x</task>`, null],
    ['brackets', `- [ ] T1 ${'('.repeat(MB / 4)}`, null],
    [
      'words that could be a command',
      `## Batch 1\n### Task 1.1\n**Verification:**\n${`- npm ${' should'.repeat(500)}\n`.repeat(1_000)}`,
      null,
    ],
  ]
  for (const [name, text, says, format] of cases)
    test(name, () => {
      const start = processorMs()
      const result = readPlan(text, 'p.md', DEFAULT_SETTINGS, format === undefined ? {} : { format })
      assert.ok(processorMs() - start < SOON_MS, 'it took too long')
      if (says) assert.match(result.ok ? 'it was read' : result.problems.map(formatProblem).join('\n'), says)
      else assert.ok(result.ok, JSON.stringify(result))
    })
})

function numbered(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('')
}
