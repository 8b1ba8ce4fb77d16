// The engine's repository takes no objects or no refs, or is gone: no task is charged, the run stops and says what to type, and the
// next engine continues it. What only that repository had is done again.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from '../../../src/config.ts'
import { resumeRun } from '../../../src/engine/open/resume-run.ts'
import { type RunResult, readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

// A landing that is tried again would be too late for its test.
Object.assign(LIMITS, { landingRetriesMs: [30_000] })
const AT_ONCE = { timeout: 25_000 }

const FOLDERS = Array.from({ length: 256 }, (_, n) => join('objects', n.toString(16).padStart(2, '0')))

/** Files in the place of folders keep everybody out, root too. */
const FAULTS = [
  {
    what: 'no objects',
    name: 'objects',
    spoil: (dir: string) => setFiles(dir, FOLDERS),
    repair: (dir: string) => unset(dir, FOLDERS),
  },
  {
    what: 'no refs',
    name: 'refs/espalier',
    spoil: (dir: string) => setFiles(dir, ['refs/espalier']),
    repair: (dir: string) => unset(dir, ['refs/espalier']),
  },
  {
    what: 'no objects of its user',
    name: 'objects',
    skip: process.getuid?.() === 0 && 'root may write everywhere',
    spoil: (dir: string) => chmodSync(join(dir, 'objects'), 0o555),
    repair: (dir: string) => chmodSync(join(dir, 'objects'), 0o755),
  },
]

for (const { what, name, skip = false, spoil, repair } of FAULTS)
  test(`engine.git takes ${what}: the run stops, no task is charged, and all of them land later`, {
    skip,
  }, async () => {
    await using rig = await Rig.open()
    const gitDir = join(rig.state, 'engine.git')
    const tasks = ['a', 'b', 'c', 'd'].map((id) => ({ id, retries: 0 }))
    const first = await rig.start(tasks, { maxConcurrency: 2 })
    const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
    spoil(gitDir)
    await a.sh('echo a > a.txt; git add a.txt; git commit -qm a')
    await Promise.all([a.exit(), b.deliver('b.txt')])
    const said = stoppedFor((await first.finish()).outcome)
    assert.match(said, new RegExp(`could not continue: .*engine\\.git/${name}\\S* cannot be written`))
    assert.equal(first.all('attempt.started').length, 2)
    const doctor = await espalierHere(rig.top, ['doctor'])
    assert.match(doctor.out, new RegExp(`engine\\.git/${name}\\S* cannot be written`))
    assert.equal(doctor.status, 1)
    const refused = await resumeRun(await workspaceAt(rig.top), { changes: [] })
    assert.match(refused.ok ? '' : (refused.problems[0]?.message ?? ''), /cannot be written \(\w+\): /)
    repair(gitDir)
    const run = await rig.resume()
    for (const task of ['c', 'd']) await (await rig.stage.next(task)).deliver(`${task}.txt`)
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome).sort(), ['a/1', 'b/1', 'c/1', 'd/1'])
    assert.equal(rig.stage.all.length, 4)
  })

test('work that is to land when engine.git takes no objects: the run stops at once', AT_ONCE, async () => {
  await using rig = await Rig.open()
  const gitDir = join(rig.state, 'engine.git')
  const first = await rig.start([{ id: 'a' }, { id: 'b' }], { landing: { verify: [rig.stage.command('verify')] } })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('a.txt')
  const check = await rig.stage.next('', 'verify')
  await b.deliver('b.txt')
  await first.saw('attempt.finished', ({ task }) => task === 'b')
  setFiles(gitDir, FOLDERS)
  await check.exit()
  assert.match(
    stoppedFor((await first.finish()).outcome),
    /^b could not land: .*engine\.git\/objects\S* cannot be written/,
  )
  unset(gitDir, FOLDERS)
  const { outcome } = await (await rig.resume({ landing: { verify: ['true'] } })).finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('work that waits to land when engine.git is removed is done again, and costs no try', AT_ONCE, async () => {
  await using rig = await Rig.open()
  const verify = { landing: { verify: [rig.stage.command('verify')] } }
  const first = await rig.start(
    [
      { id: 'a', retries: 0 },
      { id: 'b', needs: ['a'] },
    ],
    verify,
  )
  await (await rig.stage.next('a')).deliver('a.txt')
  const check = await rig.stage.next('', 'verify')
  removeRepository(rig)
  await check.exit()
  assert.match(stoppedFor((await first.finish()).outcome), /^a could not land: .*engine\.git was removed/)
  const run = await rig.resume({ landing: { verify: ['true'] } })
  await (await rig.stage.next('a')).deliver('a.txt')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2', 'b/1'])
  const [said] = run.all('run.replanned')
  assert.deepEqual([said?.again, said?.head], [['a'], outcome.base])
})

test('what has landed and was not yet in the repository of the user when engine.git was removed is done again', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'other' }])
  keepUnpublished(rig)
  const other = await rig.stage.next('other')
  await (await rig.stage.next('a')).deliver('a.txt')
  const b = await rig.stage.next('b')
  removeRepository(rig)
  first.run.abandon()
  await first.finish()
  assert.equal(rig.landedFile({ branch: 'espalier/plan-1' }, 'a.txt'), null)
  rig.git('checkout', '-q', 'main')
  const run = await rig.resume()
  assert.ok(!b.alive, 'what it began with is gone')
  await other.deliver('other.txt')
  await (await rig.stage.next('a')).deliver('a.txt')
  const again = await rig.stage.next('b')
  assert.equal(await again.sh('cat a.txt'), 'a')
  await again.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome).sort(), ['a/2', 'b/2', 'other/1'])
  assert.deepEqual([outcome.status, outcome.publishTrouble], ['completed', null])
  assert.equal(run.task('b').history[0]?.failure?.reason, 'interrupted')
})

test('a finished run whose landed work is gone is refused, and named: nothing of it is done again unasked', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', run: 'exit 1' }])
  keepUnpublished(rig)
  await (await rig.stage.next('a')).deliver('a.txt')
  assert.equal((await first.finish()).outcome.status, 'failed')
  removeRepository(rig)
  for (const again of [undefined, 'all'] as const) {
    const refused = await resumeRun(await workspaceAt(rig.top), { run: 'plan-1', again })
    const { message = '' } = (!refused.ok && refused.problems[0]) || {}
    assert.match(
      message,
      /engine\.git or a part of it was removed, and with it the landed work of a: .* or run the plan again$/,
    )
  }
})

test('engine.git removed while the tasks of an epic share a worktree: the epic begins anew', async () => {
  await using rig = await Rig.open()
  const epic = { epic: 'e', isolation: 'epic' } as const
  const first = await rig.start([
    { id: 'x', ...epic },
    { id: 'y', needs: ['x'], ...epic },
  ])
  await (await rig.stage.next('x')).deliver('x.txt')
  const y = await rig.stage.next('y')
  first.run.abandon()
  await first.finish()
  removeRepository(rig)
  const run = await rig.resume()
  assert.ok(!y.alive)
  await (await rig.stage.next('x')).deliver('x.txt')
  await (await rig.stage.next('y')).deliver('y.txt')
  const { outcome } = await run.finish()
  assert.deepEqual([rig.landedFile(outcome, 'x.txt'), rig.landedFile(outcome, 'y.txt')], ['x', 'y'])
})

test('an agent that was done when engine.git was removed: its work lands from the worktree', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', verify: [rig.stage.command('verify')] }])
  await (await rig.stage.next('a')).deliver('a.txt')
  const check = await rig.stage.next('a', 'verify')
  first.run.abandon()
  await first.finish()
  removeRepository(rig)
  const run = await rig.resume()
  await check.gone()
  await (await rig.stage.next('a', 'verify')).exit()
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
})

test('an engine.git without its objects is as good as none', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  keepUnpublished(rig)
  await (await rig.stage.next('a')).deliver('a.txt')
  await rig.stage.next('b')
  first.run.abandon()
  rmSync(join(rig.state, 'engine.git', 'objects'), { recursive: true })
  await first.finish()
  rig.git('checkout', '-q', 'main')
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2', 'b/2'])
})

for (const [what, name] of [
  ['tree', '^{tree}'],
  ['file', ':b.txt'],
])
  test(`a ${what} of landed work is gone, its commit is not: the work is done again`, async () => {
    await using rig = await Rig.open()
    const run = (word: string) => `echo ${word} work > ${word}.txt`
    const first = await rig.start([
      { id: 'a', run: run('a') },
      { id: 'b', run: run('b'), needs: ['a'] },
      { id: 'c', needs: ['b'] },
    ])
    keepUnpublished(rig)
    await rig.stage.next('c')
    first.run.abandon()
    await first.finish()
    removeObject(rig, `espalier/plan-1${name}`)
    rig.git('checkout', '-q', 'main')
    const next = await rig.resume()
    await (await rig.stage.next('c')).deliver('c.txt')
    const { outcome } = await next.finish()
    assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2', 'c/2'])
    assert.equal(rig.landedFile(outcome, 'b.txt'), 'b work')
  })

test('killed right after the journal says what is lost: the branch is moved by the next engine', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  keepUnpublished(rig)
  await (await rig.stage.next('a')).deliver('a.txt')
  await rig.stage.next('b')
  first.run.abandon()
  await first.finish()
  rmSync(join(rig.state, 'engine.git', 'objects'), { recursive: true })
  rig.git('checkout', '-q', 'main')
  await using engine = new DoomedEngine(rig.top, null, makeSettings({}), { death: { write: 1, when: 'after' } })
  assert.equal(await engine.ended(), 'killed')
  const view = await readRun(await workspaceAt(rig.top))
  assert.equal(view.ok && view.value?.tasks[0]?.status, 'ready')
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2', 'b/2'])
})

function stoppedFor(outcome: RunResult): string {
  assert.deepEqual([outcome.status, outcome.interrupted], ['running', true], JSON.stringify(outcome))
  assert.deepEqual(outcome.failures, [])
  return outcome.stuck ?? ''
}

/** A branch that is checked out is not moved: what lands is in engine.git only. */
function keepUnpublished(rig: Rig): void {
  rig.git('checkout', '-q', 'espalier/plan-1')
}

function removeRepository(rig: Rig): void {
  rmSync(join(rig.state, 'engine.git'), { recursive: true, force: true, maxRetries: 3 })
}

function removeObject(rig: Rig, name: string): void {
  const gitDir = join(rig.state, 'engine.git')
  const id = rig.git(`--git-dir=${gitDir}`, 'rev-parse', name)
  rmSync(join(gitDir, 'objects', id.slice(0, 2), id.slice(2)))
}

function setFiles(gitDir: string, names: readonly string[]): void {
  for (const name of names) if (!existsSync(join(gitDir, name))) writeFileSync(join(gitDir, name), '')
}

function unset(gitDir: string, names: readonly string[]): void {
  for (const path of names.map((name) => join(gitDir, name))) if (lstatSync(path).isFile()) rmSync(path)
}
