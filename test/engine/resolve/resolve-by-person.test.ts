// `landing.conflict: manual`: the run goes on with the rest, and a person resolves the conflict in a worktree.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { giveUp, handBack, openConflict } from '../../../src/engine/resolve/resolve-conflict-by-hand.ts'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { readRun, requestCancel } from '../../../src/index.ts'
import type { TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const MANUAL = { landing: { conflict: 'manual' as const } }

/** a lands, b conflicts with it. The others are up to the test. */
async function conflicting(rig: Rig, others: TaskDraft[] = [], b: Partial<TaskDraft> = {}) {
  const run = await rig.start([{ id: 'a' }, { id: 'b', ...b }, ...others], MANUAL)
  const [first, second] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await first.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed', ({ tasks }) => tasks.includes('a'))
  await second.write('src/b.txt', 'of b\n')
  await second.deliver('src/a.txt', 'of b\n')
  await run.saw('landing.refused')
  return run
}

async function opened(rig: Rig, task = 'b') {
  const worktree = await openConflict(await workspaceAt(rig.top), { task })
  assert.ok(worktree.ok, JSON.stringify(worktree))
  return worktree.value
}

async function viewOf(rig: Rig) {
  const found = await readRun(await workspaceAt(rig.top))
  assert.ok(found.ok && found.value)
  return found.value
}

function refusal(result: { ok: boolean; problems?: { message: string }[] }): string {
  assert.ok(!result.ok, 'it was not refused')
  return result.problems?.map(({ message }) => message).join('\n') ?? ''
}

test('everything else is done, the run rests, and goes on with what was handed back', async () => {
  await using rig = await Rig.open()
  const before = rig.git('status', '--porcelain', '--branch')
  const run = await conflicting(rig, [
    { id: 'free', run: 'echo free > free.txt' },
    { id: 'c', needs: ['b'], run: 'cat src/a.txt > c.txt' },
  ])
  const { outcome } = await run.finish()
  assert.deepEqual([outcome.status, outcome.interrupted], ['waiting', false])
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'conflict', free: 'landed', c: 'pending' })
  const view = await viewOf(rig)
  assert.deepEqual([view.status, view.resumable, view.tasks[1]?.failure?.paths], ['waiting', true, ['src/a.txt']])

  const { path, files, isNew } = await opened(rig)
  assert.deepEqual([files, isNew, (await opened(rig)).isNew], [['src/a.txt'], true, false])
  assert.match(await readFile(join(path, 'src/a.txt'), 'utf8'), /<<<<<<<[\s\S]*of a[\s\S]*of b/)
  assert.match(rig.git('-C', path, 'status', '--porcelain'), /^AA src\/a\.txt|^UU src\/a\.txt/m)
  assert.match(refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })), /markers are left in src\/a\.txt/)
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  const back = await handBack(await workspaceAt(rig.top), { task: 'b' })
  assert.deepEqual(back, { ok: true, value: { run: run.id, task: 'b', delivered: 'recorded' } })
  assert.ok(!existsSync(path), 'the worktree has done its part')
  assert.equal(rig.git('worktree', 'list').split('\n').length, 1)
  assert.deepEqual(await handBack(await workspaceAt(rig.top), { task: 'b' }), back, 'a second time changes nothing')

  // Nothing but what the engine copied is left of it.
  rig.git('gc', '-q', '--prune=now')
  const resumed = await (await rig.resume()).finish()
  assert.equal(resumed.outcome.status, 'completed')
  assert.deepEqual(rig.landings(resumed.outcome).slice(2), ['b/1', 'c/1'])
  assert.deepEqual(
    ['src/a.txt', 'src/b.txt', 'c.txt'].map((file) => rig.landedFile(resumed.outcome, file)),
    ['of a and b', 'of b', 'of a and b'],
  )
  assert.equal(rig.git('status', '--porcelain', '--branch'), before, 'I8')
  assert.match(refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })), /b of run plan-1 is landed/)
})

test('an engine at work takes it in; what claims the same paths waits for it', async () => {
  await using rig = await Rig.open()
  const claims = { write: ['src/**'], read: [] }
  const run = await conflicting(rig, [{ id: 'long' }, { id: 'same', claims, run: 'true' }], { claims })
  assert.deepEqual([run.task('b').status, run.task('same').status], ['conflict', 'ready'])
  const { path } = await opened(rig)
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  rig.git('-C', path, 'commit', '-qam', 'by hand')
  const back = await handBack(await workspaceAt(rig.top), { task: 'b' })
  assert.ok(back.ok && back.value.delivered === 'to-engine')
  await run.saw('landing.landed', ({ tasks }) => tasks.includes('b'))
  await run.saw('attempt.started', ({ task }) => task === 'same')
  await (await rig.stage.next('long')).exit()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('given up, the task fails with its work kept, and what needs it is blocked', async () => {
  await using rig = await Rig.open()
  const run = await conflicting(rig, [{ id: 'c', needs: ['b'], run: 'true' }])
  await run.finish()
  const { path } = await opened(rig)
  assert.ok((await giveUp(await workspaceAt(rig.top), { task: 'b' })).ok)
  assert.match(refusal(await openConflict(await workspaceAt(rig.top), { task: 'b' })), /answered already/)
  assert.ok(!existsSync(path))
  const { outcome, ...resumed } = await (await rig.resume()).finish()
  assert.equal(outcome.status, 'failed')
  const tasks = (await viewOf(rig)).tasks.map(({ id, status, failure }) => [id, status, failure?.cause])
  assert.deepEqual(tasks, [
    ['a', 'landed', undefined],
    ['b', 'failed', undefined],
    ['c', 'blocked', 'b'],
  ])
  assert.equal(rig.git('show', `refs/espalier/${resumed.run.id}/failed/b/1:src/b.txt`), 'of b')
})

test('a resolution is refused for other paths, and a worktree deleted by hand is made again', async () => {
  await using rig = await Rig.open()
  await (await conflicting(rig)).finish()
  assert.match(refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })), /no worktree/)
  const { path } = await opened(rig)
  await rm(path, { recursive: true })
  assert.match(refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })), /no worktree/)
  assert.equal((await opened(rig)).path, path)
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  await writeFile(join(path, 'README.md'), 'rewritten\n')
  assert.match(refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })), /had not changed: README\.md/)
  assert.match(
    refusal(await handBack(await workspaceAt(rig.top), { task: 'a' })),
    /a of run plan-1 is landed.*in conflict: b/,
  )
})

test('a run cancelled meanwhile says so, and leaves the worktree until it is cleaned', async () => {
  await using rig = await Rig.open()
  await (await conflicting(rig)).finish()
  const { path } = await opened(rig)
  const cancelled = await requestCancel(await workspaceAt(rig.top))
  assert.ok(cancelled.ok && cancelled.value.delivered === 'carried-out')
  assert.match(
    refusal(await handBack(await workspaceAt(rig.top), { task: 'b' })),
    /is cancelled[\s\S]*is left as it is/,
  )
  assert.equal(rig.git('show', 'refs/espalier/plan-1/failed/b/1:src/b.txt'), 'of b')
  const checks = await diagnose({ repo: rig.top })
  assert.ok(checks.some(({ state, message }) => state === 'warn' && message.includes(path)))
  const kept = await cleanState(await workspaceAt(rig.top), { all: true })
  assert.ok(kept.ok && kept.value.kept.some((one) => one.path === path) && existsSync(path))
  assert.ok((await cleanState(await workspaceAt(rig.top), { all: true, force: true })).ok)
  assert.ok(!existsSync(path))
  assert.equal(rig.git('worktree', 'list').split('\n').length, 1)
})

test('a resolution that conflicts with what landed meanwhile is a conflict again', async () => {
  await using rig = await Rig.open()
  const run = await conflicting(rig, [{ id: 'later' }])
  const { path } = await opened(rig)
  const conflict = run.task('b').conflict?.commit
  await (await rig.stage.next('later')).deliver('src/b.txt', 'of later\n')
  await run.finish()
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  assert.ok((await handBack(await workspaceAt(rig.top), { task: 'b' })).ok)
  const second = await (await rig.resume()).finish()
  assert.equal(second.outcome.status, 'waiting')
  assert.notEqual(second.task('b').conflict?.commit, conflict)
  const again = await opened(rig)
  assert.deepEqual(again.files, ['src/b.txt'])
  assert.equal(await readFile(join(again.path, 'src/a.txt'), 'utf8'), 'of a and b\n')
  await writeFile(join(again.path, 'src/b.txt'), 'of b and later\n')
  assert.ok((await handBack(await workspaceAt(rig.top), { task: 'b' })).ok)
  const { outcome } = await (await rig.resume()).finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(
    ['src/a.txt', 'src/b.txt'].map((file) => rig.landedFile(outcome, file)),
    ['of a and b', 'of b and later'],
  )
})

test('the tasks of an epic that land together wait together', async () => {
  await using rig = await Rig.open()
  const epic = { epic: 'e', isolation: 'epic' as const }
  const run = await rig.start([{ id: 'a' }, { id: 'b1', ...epic }, { id: 'b2', ...epic }], MANUAL)
  const a = await rig.stage.next('a')
  await (await rig.stage.next('b1')).deliver('src/a.txt', 'of b\n')
  const last = await rig.stage.next('b2')
  await a.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await last.deliver('src/b.txt', 'of b\n')
  await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b1: 'conflict', b2: 'conflict' })
  const { path } = await opened(rig, 'b1')
  assert.equal((await opened(rig, 'b2')).path, path)
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  assert.ok((await handBack(await workspaceAt(rig.top), { task: 'b2' })).ok)
  const { outcome } = await (await rig.resume()).finish()
  assert.equal(outcome.counts.landed, 3)
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b1 b2/1 1'])
  assert.equal(rig.landedFile(outcome, 'src/a.txt'), 'of a and b')
})

test('two at once: one of them answers', async () => {
  await using rig = await Rig.open()
  const run = await conflicting(rig, [{ id: 'long' }])
  const { path } = await opened(rig)
  await writeFile(join(path, 'src/a.txt'), 'of a and b\n')
  const [workspace, which] = [await workspaceAt(rig.top), { task: 'b' }]
  const answers = await Promise.all([handBack(workspace, which), handBack(workspace, which), giveUp(workspace, which)])
  assert.equal(answers.filter((one) => one.ok).length >= 1, true, JSON.stringify(answers))
  await until('an answer', () => run.task('b').status !== 'conflict')
  assert.equal(run.all('task.resolved').length, 1)
  await (await rig.stage.next('long')).exit()
  await run.finish()
})
