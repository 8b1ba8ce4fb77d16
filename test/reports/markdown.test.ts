import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../../src/reports/markdown.ts'
import { renderMermaid } from '../../src/reports/mermaid.ts'
import type { TaskStatus } from '../../src/status.ts'
import { STATUS_SIGN } from '../../src/text/status-look.ts'
import { largeInput, planOf, START, sampleInput, taskOf, viewOf } from './sample.ts'

test('the report tells the verdict, the figures, the failure and the next commands', () => {
  const text = renderMarkdown(sampleInput())
  assert.ok(text.startsWith('# checkout: 11 of 15 tasks succeeded\n'))
  for (const part of [
    '| Speed-up | **1.65 ×** |',
    '- `espalier land checkout-7k3f`: bring espalier/checkout-7k3f (aea1eb17) onto your branch',
    'Blocked: `checkout-page`, `receipts`, `e2e`',
    '| `sessions` | 1: changed, conflict (5m 01s); 2: changed (3m 41s) |',
    '  1999 !== 2000',
  ]) {
    assert.ok(text.includes(part), part)
  }
})

test('every row of a table has as many cells as its head, whatever agents write', () => {
  const input = sampleInput()
  for (const task of input.view.tasks) task.title = 'a | b\n| --- |\n```\n# x <img onerror>'
  const text = renderMarkdown({ ...input, logTails: { payments: '```\n# not a heading' } })
  let cells = 0
  for (const row of text.split('\n')) {
    if (!row.startsWith('|')) cells = 0
    else {
      const count = row.replace(/\\\|/g, '').split('|').length
      if (cells > 0) assert.equal(count, cells, row)
      cells = count
    }
  }
  assert.ok(!text.includes('<img'))
  assert.ok(text.includes('````text\n```\n# not a heading\n````'))
})

test('an empty run gives a short report', () => {
  const text = renderMarkdown({ view: viewOf([]), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.ok(/^# .+: Nothing to do\n/.test(text) && !/NaN|Infinity|undefined/.test(text))
})

test('a large run is cut and says so', () => {
  const text = renderMarkdown(largeInput(2_000))
  assert.ok(text.includes('And 1500 more; the JSON report has all of them.') && text.length < 400_000)
})

test('Mermaid gets numbered nodes, reduced edges and a class per colour', () => {
  const { plan, view } = sampleInput()
  plan.tasks.push(...planOf([{ id: 'end', title: '"]; click' }]).tasks)
  const text = renderMermaid(plan, view)
  assert.ok(text.startsWith('flowchart LR\n  subgraph e0["Epic data"]\n'))
  assert.ok(text.includes('t15["end<br/>#34;#93;#59; click"]'))
  assert.ok(text.includes('  t2 -.-> t13\n'))
  assert.ok(!text.includes('t5 --> t9\n'), 'account-page needs sessions through orders')
  assert.match(text, /class [t\d,]+ good/)
  assert.ok(!renderMermaid(plan).includes('classDef'))
})

test('a status has the same sign as in the terminal', () => {
  const text = renderMarkdown(sampleInput())
  const signs = [...text.matchAll(/^\| (\S) (\w+) \| `/gm)].map(([, sign, status]) => [status, sign])
  assert.ok(signs.length > 0)
  for (const [status = '', sign] of signs) assert.equal(sign, STATUS_SIGN[status as TaskStatus], status)
})

test('a task in conflict is among what went wrong, with whose work it collides', () => {
  const failure = { reason: 'conflict' as const, message: 'conflicts with the landed work of a in db.sql' }
  const view = viewOf([taskOf({ id: 'b', status: 'conflict', failure, history: [{}] })])
  const text = renderMarkdown({ view, plan: planOf([]), logTails: { b: 'all done' }, generatedAt: START })
  const [, section = ''] = text.split('## What went wrong')
  assert.match(section, /^\n\n### b .*\n\nconflict after 1 attempt: conflicts with the landed work of a in db\.sql\n/)
  assert.ok(!text.includes('all done'))
})

test('work that is not on the branch is named, attempt by attempt', () => {
  const text = renderMarkdown(sampleInput())
  const [, section = ''] = text.split('## Work that did not land')
  assert.match(section, /\| `payments` \| 1 \| `git show refs\/espalier\/checkout-7k3f\/failed\/payments\/1` \|/)
  assert.match(section, /\| `payments` \| 2 \| `git show refs\/espalier\/checkout-7k3f\/failed\/payments\/2` \|/)
})
