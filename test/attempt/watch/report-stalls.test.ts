import assert from 'node:assert/strict'
import { appendFile, utimes, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { watchStalls } from '../../../src/attempt/watch/report-stalls.ts'
import { LIMITS } from '../../../src/config.ts'
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

type Report = { type: string; since?: number }

/** An agent that is watched on a clock that the test moves; `look` gives the newest report. */
function watchedIn(context: TestContext, folder: Folder, stallAfterMs: number) {
  const { timers } = context.mock
  timers.enable({ apis: ['setInterval'] })
  const reports: Report[] = []
  const host = { report: (fact: Report) => void reports.push(fact) }
  const order = { settings: { stallAfterMs }, task: { id: 'a' }, attempt: 1 }
  const over = new AbortController()
  watchStalls({ order, host } as never, folder.path, over.signal)
  context.after(() => over.abort())
  const look = () => {
    timers.tick(LIMITS.stallPollMs)
    return reports.at(-1)
  }
  const silentMs = () => {
    const { since = Date.now() } = look() ?? {}
    return Date.now() - since
  }
  return { look, silentMs, end: () => timers.reset() }
}

test('a silence found is as old as the newest output, of either stream', async (context) => {
  await using folder = await temporaryFolder()
  const silentMs = (atLeastMs: number) => {
    const watched = watchedIn(context, folder, atLeastMs)
    const ms = watched.silentMs()
    watched.end()
    return ms
  }
  await leave(folder, { supervisor: 9 * HOUR_MS })
  assert.ok(silentMs(HOUR_MS) >= 9 * HOUR_MS - 1, 'it never said anything')
  await leave(folder, { 'output.aaa': 8 * HOUR_MS, 'output.aac': 5 * HOUR_MS, 'errors.aaa': 3 * HOUR_MS })
  const ms = silentMs(HOUR_MS)
  assert.ok(ms >= 3 * HOUR_MS - 1 && ms < 4 * HOUR_MS, `${ms} ms`)
  assert.ok(silentMs(5 * HOUR_MS) < HOUR_MS, 'it is not silent for that long')
})

test('an engine that has let go of the attempt is not kept alive', async () => {
  await using folder = await temporaryFolder()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const order = { settings: { stallAfterMs: HOUR_MS }, task: { id: 'a' }, attempt: 1 }
  watchStalls({ order, host: {} } as never, folder.path, AbortSignal.abort())
  assert.equal(timers(), before)
})

test('a byte ends it', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: HOUR_MS, 'output.aaa': HOUR_MS })
  const { look } = watchedIn(context, folder, HOUR_MS / 2)
  assert.equal(look()?.type, 'attempt.stalled')
  await appendFile(folder.at('output.aaa'), '.')
  assert.equal(look()?.type, 'attempt.stirred')
})

test('a clock that is put forward makes nobody silent', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 0, 'output.aaa': 0 })
  const { look } = watchedIn(context, folder, 60_000)
  const now = Date.now() + HOUR_MS
  context.mock.method(Date, 'now', () => now)
  assert.equal(look(), undefined)
})

test('a byte is heard also if the clock was put back before it was printed', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 2 * HOUR_MS, 'output.aaa': 2 * HOUR_MS })
  const { look } = watchedIn(context, folder, HOUR_MS)
  assert.equal(look()?.type, 'attempt.stalled')
  await appendFile(folder.at('output.aaa'), '.')
  const yesterday = (Date.now() - 24 * HOUR_MS) / 1000
  await utimes(folder.at('output.aaa'), yesterday, yesterday)
  assert.equal(look()?.type, 'attempt.stirred')
})

test('nobody is called silent whose output could not be written', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: HOUR_MS, 'output-lost': 0 })
  assert.equal(watchedIn(context, folder, 60_000).look(), undefined)
})

test('one that was not started yet is not silent', async (context) => {
  await using folder = await temporaryFolder()
  assert.equal(watchedIn(context, folder, 60_000).look(), undefined)
})

test('a heartbeat ends it as a byte does, and one that is found counts from its last', async (context) => {
  await using folder = await temporaryFolder()
  await leave(folder, { supervisor: 9 * HOUR_MS, 'output.aaa': 9 * HOUR_MS })
  const first = watchedIn(context, folder, HOUR_MS)
  assert.equal(first.look()?.type, 'attempt.stalled')
  await leave(folder, { heartbeat: 0 })
  assert.equal(first.look()?.type, 'attempt.stirred')
  first.end()
  await leave(folder, { heartbeat: 2 * HOUR_MS })
  const ms = watchedIn(context, folder, HOUR_MS).silentMs()
  assert.ok(ms >= 2 * HOUR_MS - 1 && ms < 3 * HOUR_MS, `${ms} ms`)
})
