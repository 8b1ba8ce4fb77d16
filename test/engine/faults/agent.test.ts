// Agents that behave badly, seen from the engine: each comes to its end, and the run with it. (What a supervisor does
// about them: test/process.)
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'
import { fatal } from '../../rig/stage.ts'

const MB = 1 << 20

/** Bytes of output that an attempt has left on disk. */
function outputBytes(rig: Rig, task: string): number {
  const folder = join(rig.state, 'runs', 'plan-1', task, '1', 'work')
  const chunks = readdirSync(folder).filter((name) => name.startsWith('output.'))
  return chunks.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

test('an agent that ignores SIGTERM is ended after the grace, and the run goes on', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'a', timeoutMs: 3_000 },
    { id: 'b', after: ['a'], run: 'echo b > b.txt' },
  ])
  const a = await rig.stage.next('a')
  await a.ignore('SIGTERM')
  await a.write('half.txt', 'half\n')
  const { outcome } = await run.finish()
  assert.equal(a.alive, false)
  assert.equal(run.task('a').failure?.reason, 'timeout')
  assert.deepEqual(rig.landings(outcome), ['b/1'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})

test('an agent that floods its output with 1 GB lands; the log stays within its bound and the engine stays small', async () => {
  await using rig = await Rig.open()
  const logs = { chunkBytes: 1 * MB, maxBytes: 4 * MB }
  const before = process.memoryUsage().rss
  const flood = 'yes 0123456789012345678901234567890123456789 | head -c 1000000000; echo done > a.txt; echo the end'
  const { outcome } = await rig.run([{ id: 'a', run: flood }], { logs })
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'done')
  assert.ok(outputBytes(rig, 'a') <= logs.maxBytes, `${outputBytes(rig, 'a')} bytes`)
  assert.ok(process.memoryUsage().rss - before < 200 * MB)
})

test('an agent that writes 100 MB without a newline lands, and the engine stays small', async () => {
  await using rig = await Rig.open()
  const before = process.memoryUsage().rss
  const { outcome, ...run } = await rig.run([
    { id: 'a', run: `head -c 100000000 /dev/zero | tr '\\0' x; echo done > a.txt` },
  ])
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'done')
  assert.ok(process.memoryUsage().rss - before < 200 * MB)
  for (const event of run.events) assert.ok(JSON.stringify(event).length < 20_000)
})

test('an agent that closes its output early works to its end', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', run: `exec >&- 2>&-; ${rig.stage.command()}` }])
  const a = await rig.stage.next('a')
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
})

test('a child that holds the output of its agent open is ended; the attempt lands and does not wait for it', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', run: `sleep 100000 & ${rig.stage.command()}` }])
  const a = await rig.stage.next('a')
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.deepEqual(run.processes('a', 1), [])
  assert.ok(run.all('attempt.progress').some(({ message }) => /^ended a process/.test(message)))
})

test('an agent that spoils its own log so that it cannot be read fails: nothing of it goes on, its work is kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  await a.write('half.txt', 'half\n')
  await fatal(a.sh('mkdir "$ESPALIER_LOG_DIR/../work/output.aab"'))
  await run.finish()
  assert.match(run.task('a').failure?.message ?? '', /the engine could not carry it out: .*EISDIR/)
  assert.equal(a.alive, false)
  assert.equal(
    rig.git(`--git-dir=${rig.state}/engine.git`, 'show', `refs/espalier/runs/${run.id}/a/1:half.txt`),
    'half',
  )
})
