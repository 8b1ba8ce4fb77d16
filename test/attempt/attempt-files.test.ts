// What an agent leaves behind is its own: it is never taken for the engine's, and never decides about the attempt.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { DoomedEngine } from '../rig/doomed-engine.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'

test('files in ESPALIER_LOG_DIR have any name, and none is taken for a note of the engine', async () => {
  await using rig = await Rig.open()
  const forged = { ok: true, commit: null, tree: 'x', diff: { files: 0, insertions: 0, deletions: 0 }, paths: [] }
  const run = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  const folder = puppet.hello.env.ESPALIER_LOG_DIR ?? ''
  await puppet.write(join(folder, 'snapshot.json'), JSON.stringify({ ...forged, agentCommits: 0 }))
  await puppet.write(join(folder, 'prepared'), '')
  await puppet.write(join(folder, 'work', 'exit'), '{"code":3}\n')
  await puppet.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.ok(existsSync(join(folder, 'snapshot.json')))
})

test('a note of the snapshot that makes no sense is as good as none', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const puppet = await rig.stage.next('a')
  await engine.kill()
  const root = dirname(puppet.hello.env.ESPALIER_LOG_DIR ?? '')
  await writeFile(join(root, 'snapshot.json'), '{"ok":true,"commit":7}')
  await puppet.deliver('a.txt')
  const { outcome } = await (await rig.resume()).finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
})

test('a temporary folder that cannot be removed does not fail an attempt that is done', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  const folder = puppet.hello.env.TMPDIR ?? ''
  try {
    // A path of more than 4,096 characters can only be walked step by step.
    await puppet.sh('cd "$TMPDIR" && n=$(printf %0200d 0) && for i in $(seq 30); do mkdir $n && cd -P $n || exit; done')
    await puppet.deliver('a.txt')
    await run.finish()
    assert.equal(run.task('a').status, 'landed', JSON.stringify(run.task('a').failure))
    assert.ok(existsSync(folder), 'it could not be removed')
  } finally {
    execFileSync('rm', ['-rf', folder])
    await rm(folder, { recursive: true, force: true })
  }
})

test('what an agent leaves running is ended, and said', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  await puppet.orphan()
  await puppet.deliver('a.txt')
  await run.finish()
  // The loop of the orphan, and the `sleep` in it if it caught one.
  assert.ok(run.all('attempt.progress').some(({ message }) => /^ended (a|\d) process/.test(message)))
  assert.equal(run.task('a').status, 'landed')
})

test('that output was lost is said with the result', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'good' }, { id: 'bad' }])
  const [good, bad] = [await rig.stage.next('good'), await rig.stage.next('bad')]
  for (const puppet of [good, bad]) await puppet.sh(': > "$ESPALIER_LOG_DIR/../work/output-lost"')
  await good.deliver('a.txt')
  await bad.exit(1)
  await run.finish()
  assert.match(run.task('good').history[0]?.summary ?? '', /the log is incomplete/)
  assert.match(run.task('bad').failure?.message ?? '', /^it exited with status 1 \(.*the log is incomplete\)$/)
})
