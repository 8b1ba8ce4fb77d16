// The end of a log in a report: what the agent said, not how it said it.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { logTails } from '../../../src/reports/facts/log-tails.ts'
import { planOf, taskOf } from '../sample.ts'

/** What a report shows of an attempt that has printed this. */
async function shownOf(log: string, agent: string | null): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-log-'))
  try {
    await writeFile(join(folder, 'output.aaa'), log)
    const task = taskOf({ id: 'a', history: [agent === null ? {} : { agent }] })
    return (await logTails({ tasks: [task] }, planOf([]), () => folder)).a
  } finally {
    await rm(folder, { recursive: true })
  }
}

const CLAUDE = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'I look around.' }] } })
const PROGRESS = '{"type":"progress","message":"half way"}'

const table: { agent: string | null; log: string; shown: string }[] = [
  { agent: 'command', log: `${PROGRESS}\nred\n`, shown: 'half way\nred\n' },
  { agent: 'run', log: `${PROGRESS}\nred\n`, shown: 'half way\nred\n' },
  { agent: 'claude', log: `${CLAUDE}\nno login\n`, shown: '\nI look around.\n\nno login' },
  { agent: null, log: `${PROGRESS}\n`, shown: `${PROGRESS}\n` },
]
for (const { agent, log, shown } of table)
  test(`of ${agent ?? 'nobody known'}: ${JSON.stringify(log)}`, async () =>
    assert.equal(await shownOf(log, agent), shown))

test('of a long log the last 4,000 characters are shown, and no half line of a protocol', async () => {
  const half = `half a line","message":"${'x'.repeat(70_000)}"}`
  assert.equal(await shownOf(`${half}\n${PROGRESS}\n`, 'command'), 'half way\n')
  assert.equal((await shownOf('x'.repeat(70_000), 'command'))?.length, 4_000)
})
