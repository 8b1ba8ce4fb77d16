// The end of a log in a report: what the agent said, not how it said it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readableTail } from '../../../src/reports/facts/log-tails.ts'

const CLAUDE = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'I look around.' }] } })
const PROGRESS = '{"type":"progress","message":"half way"}'

const table: { agent: string | null; log: string; shown: string }[] = [
  { agent: 'command', log: `${PROGRESS}\nred\n`, shown: 'half way\nred\n' },
  { agent: 'run', log: `${PROGRESS}\nred\n`, shown: 'half way\nred\n' },
  { agent: 'claude', log: `${CLAUDE}\nno login\n`, shown: '\nI look around.\n\nno login' },
  { agent: null, log: `${PROGRESS}\n`, shown: `${PROGRESS}\n` },
]
for (const { agent, log, shown } of table)
  test(`of ${agent ?? 'nobody known'}: ${JSON.stringify(log)}`, () => assert.equal(readableTail(log, agent), shown))

test('of a long log the last 4,000 characters are shown, and no half line of a protocol', () => {
  const half = `half a line","message":"${'x'.repeat(70_000)}"}`
  assert.equal(readableTail(`${half}\n${PROGRESS}\n`, 'command'), 'half way\n')
  assert.equal(readableTail('x'.repeat(70_000), 'command').length, 4_000)
})
