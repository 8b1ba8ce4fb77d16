import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Ask, answerFile } from '../../../src/engine/requests/agent-tool-calls.ts'
import { Asks } from '../../../src/fleet/worker/relay-agent-requests.ts'
import { ok } from '../../../src/problem.ts'
import { temporaryFolder } from '../../rig/repository.ts'

const NOTE: Ask = { type: 'note', kind: 'blocked', text: 'the key is missing' }

function asked(folder: string, ask: Ask): string {
  const name = randomUUID()
  writeFileSync(join(folder, `${name}.ask.json`), JSON.stringify({ token: 'mine', ask }))
  return name
}

test('an answer that cannot be written is asked for once, keeps nobody else waiting, and its note counts', async () => {
  await using folder = await temporaryFolder()
  const sent: Ask[] = []
  const asks = new Asks(folder.path, 'mine', async (ask) => {
    sent.push(ask)
    return ok(null)
  })
  const stuck = asked(folder.path, NOTE)
  // A folder stands where the answer belongs.
  mkdirSync(join(answerFile(folder.path, stuck), 'x'), { recursive: true })
  const other = asked(folder.path, { type: 'task' })
  for (let n = 0; n < 3; n++) await asks.look()
  assert.deepEqual(sent.map(({ type }) => type).sort(), ['note', 'task'])
  assert.ok(existsSync(answerFile(folder.path, other)))
  assert.deepEqual(
    (await asks.notes()).map(({ text }) => text),
    ['the key is missing'],
  )
  rmSync(answerFile(folder.path, stuck), { recursive: true })
  await asks.look()
  assert.deepEqual(JSON.parse(readFileSync(answerFile(folder.path, stuck), 'utf8')), ok(null))
  assert.equal(sent.length, 2)
})

test('a server that does not answer keeps an attempt that is over for seconds, not for ever', {
  timeout: 20_000,
}, async () => {
  await using folder = await temporaryFolder()
  const asks = new Asks(folder.path, 'mine', () => new Promise(() => {}))
  asked(folder.path, NOTE)
  asked(folder.path, NOTE)
  void asks.look()
  assert.deepEqual(await asks.notes(), [])
})
