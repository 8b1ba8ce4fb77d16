import assert from 'node:assert/strict'
import { appendFile, utimes, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { Silence, watchStalls } from '../../../src/attempt/watch/report-stalls.ts'
import { type Folder, temporaryFolder } from '../../rig/repository.ts'

const HOUR_MS = 3_600_000

/** Files of a supervised command, each as old as is said. */
async function leave(folder: Folder, ages: Record<string, number>): Promise<void> {
  for (const [name, ageMs] of Object.entries(ages)) {
    await writeFile(folder.at(name), 'x')
    const at = (Date.now() - ageMs) / 1000
    await utimes(folder.at(name), at, at)
  }
}

function jump(context: TestContext, byMs: number): void {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + byMs })
}

test('a silence found is as old as the newest output, of either stream', async () => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 9 * HOUR_MS })
  assert.ok((new Silence(folder.path).atLeast(HOUR_MS) ?? 0) >= 9 * HOUR_MS - 1, 'it never said anything')
  await leave(folder, { 'output.aaa': 8 * HOUR_MS, 'output.aac': 5 * HOUR_MS, 'errors.aaa': 3 * HOUR_MS })
  const ms = new Silence(folder.path).atLeast(HOUR_MS) ?? 0
  assert.ok(ms >= 3 * HOUR_MS - 1 && ms < 4 * HOUR_MS, `${ms} ms`)
  assert.equal(new Silence(folder.path).atLeast(5 * HOUR_MS), null)
})

test('an engine that has let go of the attempt is not kept alive', async () => {
  await using folder = await temporaryFolder()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const order = { settings: { stallAfterMs: HOUR_MS }, task: { id: 'a' }, attempt: 1 }
  watchStalls({ order, host: {} } as never, folder.path, AbortSignal.abort())
  assert.equal(timers(), before)
})

test('a byte ends it', async () => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: HOUR_MS, 'output.aaa': HOUR_MS })
  const silence = new Silence(folder.path)
  assert.notEqual(silence.atLeast(HOUR_MS / 2), null)
  await appendFile(folder.at('output.aaa'), '.')
  assert.equal(silence.atLeast(HOUR_MS / 2), null)
})

test('a clock that is put forward makes nobody silent', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 0, 'output.aaa': 0 })
  const silence = new Silence(folder.path)
  jump(context, HOUR_MS)
  assert.equal(silence.atLeast(60_000), null)
})

test('a byte is heard also if the clock was put back before it was printed', async () => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 2 * HOUR_MS, 'output.aaa': 2 * HOUR_MS })
  const silence = new Silence(folder.path)
  assert.notEqual(silence.atLeast(HOUR_MS), null)
  await appendFile(folder.at('output.aaa'), '.')
  const yesterday = (Date.now() - 24 * HOUR_MS) / 1000
  await utimes(folder.at('output.aaa'), yesterday, yesterday)
  assert.equal(silence.atLeast(HOUR_MS), null)
})

test('nobody is called silent whose output could not be written', async () => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: HOUR_MS, 'output-lost': 0 })
  assert.equal(new Silence(folder.path).atLeast(60_000), null)
})

test('one that was not started yet is not silent', async () => {
  await using folder = await temporaryFolder()
  assert.equal(new Silence(folder.path).atLeast(60_000), null)
})

test('a heartbeat ends it as a byte does, and one that is found counts from its last', async () => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 9 * HOUR_MS, 'output.aaa': 9 * HOUR_MS })
  const silence = new Silence(folder.path)
  assert.notEqual(silence.atLeast(HOUR_MS), null)
  await leave(folder, { heartbeat: 0 })
  assert.equal(silence.atLeast(HOUR_MS), null)
  await leave(folder, { heartbeat: 2 * HOUR_MS })
  const ms = new Silence(folder.path).atLeast(HOUR_MS) ?? 0
  assert.ok(ms >= 2 * HOUR_MS - 1 && ms < 3 * HOUR_MS, `${ms} ms`)
})
