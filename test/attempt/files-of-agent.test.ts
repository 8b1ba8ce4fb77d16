// What an agent leaves behind is its own: it is never taken for the engine's, and never decides about the attempt.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
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

test('a temporary folder too deep to be named does not fail an attempt that is done, and goes', async () => {
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
    assert.ok(!existsSync(folder))
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
  assert.match(run.task('bad').failure?.message ?? '', /^exited with status 1 \(.*the log is incomplete\)$/)
})

test('a snapshot that an agent noted for itself, or for another, is not believed, neither now nor after a restart', async () => {
  for (const restarts of [false, true]) {
    await using rig = await Rig.open()
    const plan = [{ id: 'a' }, { id: 'b', run: 'true', needs: ['a'] }]
    await using engine = restarts ? new DoomedEngine(rig.top, rig.plan(plan), makeSettings()) : null
    const started = restarts ? null : await rig.start(plan)
    const puppet = await rig.stage.next('a')
    await engine?.kill()
    const head = rig.git('rev-parse', 'HEAD')
    const forged = { ok: true, commit: null, diff: { files: 0, insertions: 0, deletions: 0 }, paths: [], head }
    const tree = rig.git('rev-parse', 'HEAD^{tree}')
    const text = JSON.stringify({ ...forged, tree, agentCommits: 0 })
    const root = dirname(puppet.hello.env.ESPALIER_LOG_DIR ?? '')
    await writeFile(join(root, 'snapshot.json'), restarts ? `${'0'.repeat(64)}\n${text}` : text)
    await puppet.deliver('a.txt')
    const { outcome } = await (started ?? (await rig.resume())).finish()
    assert.deepEqual(rig.landings(outcome), ['a/1'])
    assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  }
})

test("what an agent writes into the engine's files of a slot hides nothing of the work in it", async () => {
  await using rig = await Rig.open({ files: { 'a.txt': 'old\n', 'secret.txt': 'x\n' } })
  const run = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  const slot = puppet.hello.cwd
  await writeFile(`${slot}.exclude`, '*\n')
  const note = (await readFile(`${slot}.json`, 'utf8')).replace('"included":[]', '"included":["new.txt"]')
  await writeFile(`${slot}.json`, note)
  // An index which says that a.txt is not to be looked at.
  const index = {
    cwd: slot,
    env: {
      ...process.env,
      GIT_DIR: join(rig.state, 'engine.git'),
      GIT_INDEX_FILE: `${slot}.index`,
      GIT_WORK_TREE: slot,
    },
  }
  execFileSync('git', ['update-index', '--assume-unchanged', 'a.txt'], index)
  await puppet.write('a.txt', 'new\n')
  await puppet.deliver('new.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'new')
  assert.equal(rig.landedFile(outcome, 'new.txt'), 'a')
})
