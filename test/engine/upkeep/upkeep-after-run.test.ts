// What the end of a run tidies up by itself, and what it leaves alone.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { LIMITS } from '../../../src/config.ts'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { clutter } from '../../../src/git/engine/maintenance.ts'
import { listRuns } from '../../../src/workspace/read-runs.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const DAY_MS = 24 * 3_600_000
const TWO = { history: { runs: 2, days: null } }

async function runsOf(rig: Rig): Promise<string[]> {
  const found = await listRuns(await workspaceAt(rig.top))
  assert.ok(found.ok, JSON.stringify(found))
  return found.value.map(({ run }) => run)
}

function engineRefs(rig: Rig): string {
  return rig.git(`--git-dir=${join(rig.state, 'engine.git')}`, 'for-each-ref', '--format=%(refname)')
}

/** How many objects of the engine's repository wait to be packed. */
function looseIn(rig: Rig): number {
  return clutter({ gitDir: join(rig.state, 'engine.git') }).loose
}

/** As if the last time were long ago: the next run has to do it again. */
async function makeDue(rig: Rig): Promise<void> {
  const note = { tidiedAt: Date.now() - LIMITS.maintenanceEveryMs - DAY_MS, tidyTrouble: null, removalTrouble: null }
  await writeFile(join(rig.state, 'upkeep.json'), JSON.stringify(note))
}

test('a run that is over makes room: older ones go, what they made stays in the repository', async () => {
  await using rig = await Rig.open()
  for (const id of ['a', 'b', 'c']) {
    const tasks = [
      { id, run: `echo 1 > ${id}` },
      { id: 'bad', run: 'echo 1 > bad; exit 1' },
    ]
    await rig.run(tasks, TWO)
  }
  assert.deepEqual(await runsOf(rig), ['plan-3', 'plan-2'])
  assert.deepEqual((await readdir(join(rig.state, 'runs'))).sort(), ['plan-2', 'plan-3'])
  assert.doesNotMatch(engineRefs(rig), /plan-1/)
  assert.equal(rig.git('show', 'espalier/plan-1:a'), '1')
  assert.equal(rig.git('show', 'refs/espalier/plan-1/failed/bad/1:bad'), '1')
})

test('the name of a run that went is not given to another while anything of it is in the repository', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'bad', run: 'echo first > bad; exit 1' }])
  rig.git('update-ref', '-d', 'refs/heads/espalier/plan-1')
  const cleaned = await cleanState(await workspaceAt(rig.top), { all: true })
  assert.ok(cleaned.ok && cleaned.value.removed.length === 1, JSON.stringify(cleaned))
  const { outcome } = await rig.run([{ id: 'bad', run: 'echo second > bad; exit 1' }])
  assert.equal(outcome.run, 'plan-2')
  assert.equal(rig.git('show', 'refs/espalier/plan-1/failed/bad/1:bad'), 'first')
})

test('work that is nowhere else stays, also when its run has had its time', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'echo 1 > a' }], TWO)
  rig.git('update-ref', '-d', 'refs/heads/espalier/plan-1')
  rig.git('reflog', 'expire', '--expire=now', '--all')
  rig.git('gc', '-q', '--prune=now')
  await rig.run([{ id: 'b', run: 'echo 1 > b' }], TWO)
  await makeDue(rig)
  await rig.run([{ id: 'c', run: 'echo 1 > c' }], TWO)
  assert.deepEqual(await runsOf(rig), ['plan-3', 'plan-2', 'plan-1'])
  assert.equal(looseIn(rig), 0, 'and it has been packed meanwhile')
  assert.equal(rig.git(`--git-dir=${join(rig.state, 'engine.git')}`, 'show', 'espalier/plan-1:a'), '1')
})

test('a run that was interrupted finds everything again after another one has tidied up', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', run: 'echo 1 > a' }, { id: 'b' }, { id: 'c', needs: ['b'] }])
  const b = await rig.stage.next('b')
  await b.write('b', 'half\n')
  await first.saw('landing.landed')
  first.run.interrupt()
  const { outcome } = await first.finish()
  assert.ok(outcome.interrupted)
  await makeDue(rig)
  await rig.run([{ id: 'z', run: 'echo 1 > z' }], { history: { runs: 1, days: 1 } })
  assert.equal(looseIn(rig), 0)
  assert.deepEqual(await runsOf(rig), ['plan-2', 'plan-1'])

  const again = await rig.resume({}, 'plan-1')
  for (const id of ['b', 'c']) {
    const puppet = await rig.stage.next(id)
    await puppet.write(id, `${id}\n`)
    await puppet.exit(0)
  }
  assert.equal((await again.finish()).outcome.status, 'completed')
  assert.deepEqual(
    ['a', 'b', 'c'].map((path) => rig.landedFile(again.run, path)),
    ['1', 'b', 'c'],
  )
  assert.equal(rig.git('show', 'refs/espalier/plan-1/failed/b/1:b'), 'half')
})

test('the objects of many landings are packed by the run that made too many of them', async () => {
  await using rig = await Rig.open()
  const many = `i=0; while [ $i -lt ${LIMITS.looseObjects + 1} ]; do i=$((i + 1)); echo $i > $i; done`
  const { outcome } = await rig.run([
    { id: 'few', run: 'echo 1 > few' },
    { id: 'many', run: many },
  ])
  assert.equal(outcome.status, 'completed')
  assert.equal(looseIn(rig), 0)
  assert.equal(rig.git(`--git-dir=${join(rig.state, 'engine.git')}`, 'show', `${outcome.head}:7`), '7')
  await rig.run([{ id: 'next', run: 'echo 1 > next' }])
  assert.notEqual(looseIn(rig), 0, 'a few are left until there are many')
})

test('what goes wrong fails no run: doctor says it, and clean puts it right', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'echo 1 > a' }])
  const broken = join(rig.state, 'engine.git', 'objects', '00')
  await mkdir(broken, { recursive: true })
  await writeFile(join(broken, '0'.repeat(38)), '')
  await makeDue(rig)
  const { outcome } = await rig.run([{ id: 'b', run: 'echo 1 > b' }])
  assert.equal(outcome.status, 'completed')
  const upkeep = async () => (await diagnose({ repo: rig.top })).filter(({ name }) => name === 'upkeep')
  const [said, ...rest] = await upkeep()
  assert.deepEqual([said?.state, rest.length], ['warn', 0])
  assert.match(said?.message ?? '', /^engine\.git could not be tidied up: git pack-objects failed/)
  await rm(join(broken, '0'.repeat(38)))
  assert.ok((await cleanState(await workspaceAt(rig.top))).ok)
  assert.deepEqual(await upkeep(), [])
})

test('a worktree that no task has used for long goes, the others stay', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a' }, { id: 'b' }].map(({ id }) => ({ id, run: `echo 1 > ${id}` })))
  const slots = join(rig.state, 'slots')
  const old = new Date(Date.now() - 31 * DAY_MS)
  await utimes(join(slots, '2.json'), old, old)
  await rig.run([{ id: 'c', run: 'echo 1 > c' }], { maxConcurrency: 1 })
  assert.ok(existsSync(join(slots, '1')))
  assert.deepEqual(
    (await readdir(slots)).filter((name) => name.startsWith('2')),
    [],
  )
})

test('clean does by hand what the end of a run does, and with --dry-run only says it', async () => {
  await using rig = await Rig.open()
  for (const id of ['a', 'b', 'c']) await rig.run([{ id, run: `echo 1 > ${id}` }])
  const path = join(rig.state, 'runs', 'plan-1')
  const dry = await cleanState(await workspaceAt(rig.top), { ...TWO, dryRun: true })
  assert.ok(dry.ok)
  assert.deepEqual([dry.value.removed.map((one) => one.path), dry.value.recent], [[path], 2])
  assert.ok(existsSync(path) && dry.value.bytes > 0)
  const before = await readFile(join(rig.state, 'upkeep.json'), 'utf8')
  const done = await cleanState(await workspaceAt(rig.top), { ...TWO })
  assert.ok(done.ok)
  assert.deepEqual(done.value.removed, dry.value.removed)
  assert.deepEqual(await runsOf(rig), ['plan-3', 'plan-2'])
  assert.equal(looseIn(rig), 0)
  assert.notEqual(await readFile(join(rig.state, 'upkeep.json'), 'utf8'), before)
  const one = await cleanState(await workspaceAt(rig.top), { run: 'plan-3' })
  assert.ok(one.ok && one.value.removed.length === 1)
  assert.deepEqual(await runsOf(rig), ['plan-2'])
})

test('a run and the worktrees stay while a process of it is alive, also where it is forced', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  started.run.abandon()
  await started.finish()
  const db = new DatabaseSync(join(rig.state, 'state.db'))
  db.exec(`update run set view = json_set(view, '$.resumable', json('false'), '$.status', 'cancelled')`)
  db.close()
  const refused = await cleanState(await workspaceAt(rig.top), { all: true, force: true, worktrees: true })
  assert.ok(refused.ok)
  assert.deepEqual(refused.value.removed, [])
  const [run, worktree] = refused.value.kept
  assert.match(run?.why ?? '', /processes of run plan-1 are still alive/)
  assert.match(worktree?.why ?? '', /a process of a task may be at work in it/)
  puppet.release()
  await puppet.gone()
})

test('while tasks of a killed engine may go on, its repository is left as it is', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a', run: 'echo 1 > a' }, { id: 'b' }])
  await started.saw('landing.landed')
  const puppet = await rig.stage.next('b')
  started.run.abandon()
  await started.finish()
  const loose = looseIn(rig)
  assert.ok(loose > 0)
  const cleaned = await cleanState(await workspaceAt(rig.top), { all: true, worktrees: true })
  assert.ok(cleaned.ok)
  assert.deepEqual(cleaned.value.removed, [])
  assert.equal(looseIn(rig), loose)
  const again = await rig.resume()
  await puppet.deliver('b')
  assert.equal((await again.finish()).outcome.status, 'completed')
})

test('a run that was on its way out when its remover was killed goes the next time', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'echo 1 > a' }])
  const engine = join(rig.state, 'engine.git')
  for (const ref of engineRefs(rig).split('\n')) rig.git(`--git-dir=${engine}`, 'update-ref', '-d', ref)
  rig.git('update-ref', '-d', 'refs/heads/espalier/plan-1')
  await rm(join(rig.state, 'runs', 'plan-1'), { recursive: true })
  const cleaned = await cleanState(await workspaceAt(rig.top), { all: true })
  assert.ok(cleaned.ok && cleaned.value.removed.length === 1, JSON.stringify(cleaned))
  assert.deepEqual(await runsOf(rig), [])
})
