import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AttemptFinished, AttemptOrder } from '../../src/attempt/attempt-order.ts'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { checkDelivered } from '../../src/fleet/check-delivered.ts'
import { HeartbeatWatch } from '../../src/fleet/heartbeat-watch.ts'
import { type EngineRepository, openEngineRepository } from '../../src/git/engine/engine-repository.ts'
import { readRef } from '../../src/git/engine/ref-file.ts'
import { attemptRef } from '../../src/git/engine/ref-names.ts'
import { inspect } from '../../src/git/user/repository.ts'
import type { Task } from '../../src/task.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { planOf } from '../scheduler/plan-rig.ts'

type Place = { repository: TestRepository; engine: EngineRepository; base: string }

async function withPlace(use: (place: Place) => Promise<void>): Promise<void> {
  await using repository = await makeRepository({ files: { 'a.txt': 'one\n', 'secret/key': 'k\n' } })
  const user = await inspect(repository.top)
  assert.ok(user.ok)
  const engine = await openEngineRepository(repository.state, user.value)
  await use({ repository, engine, base: user.value.head })
}

function orderOf(base: string, more: Partial<Task> = {}, claims: 'warn' | 'enforce' = 'warn'): AttemptOrder {
  const [task] = planOf({ id: 'a', claims: ['a.txt'] }).tasks
  const settings = { ...DEFAULT_SETTINGS, claims }
  const order = { run: 'r-1', runBase: base, base, attempt: 1, worker: 'one', resolves: null, granted: [], hooks: null }
  return { ...order, task: { ...task, ...more }, settings } as unknown as AttemptOrder
}

function check(
  engine: EngineRepository,
  order: AttemptOrder,
  fact: AttemptFinished,
  more: { isNew?: boolean; granted?: string[] } = {},
) {
  return checkDelivered(engine, order, { fact, isNew: false, granted: [], ...more })
}

function fact(commit: string | null): AttemptFinished {
  const diff = { files: 99, insertions: 99, deletions: 99 }
  return {
    ...{ type: 'attempt.finished', task: 'a', attempt: 1, outcome: 'changed', commit, failure: null },
    ...{ diff, usage: null, summary: null, touched: { paths: ['lie'], count: 1 } },
  }
}

test('honest work gets its ref, and its paths and lines are counted again', () =>
  withPlace(async ({ repository, engine, base }) => {
    await repository.write('a.txt', 'one\ntwo\n')
    const commit = repository.commit('work')
    const checked = await check(engine, orderOf(base), fact(commit))
    assert.equal(checked.failure, null)
    assert.deepEqual(checked.diff, { files: 1, insertions: 1, deletions: 0 })
    assert.deepEqual(checked.touched?.paths, ['a.txt'])
    assert.equal(readRef(engine, attemptRef('r-1', 'a', 1)), commit)
  }))

test('what a search judged is made again here: numbers for another tree, or another commit, do not count', () =>
  withPlace(async ({ repository, engine, base }) => {
    await repository.write('a.txt', 'two\n')
    await repository.write('secret/key', 'changed by the candidate\n')
    const candidate = repository.commit('candidate')
    const judge = { role: 'judge', objective: 'a bigger number', protected: ['secret/**'], parent: base } as const
    const order = { ...orderOf(candidate), runBase: base, search: judge } as unknown as AttemptOrder
    const told = (commit: string | null, tree: string) => ({ ...fact(commit), result: { scores: { score: 9 }, tree } })
    const asItIs = repository.git('rev-parse', 'HEAD^{tree}')
    const lied = await check(engine, order, told(candidate, asItIs))
    assert.deepEqual(
      [lied.failure?.reason, lied.result, lied.commit === candidate],
      ['worktree-broken', undefined, false],
    )
    const judged = lied.commit ?? ''
    repository.git('--git-dir', engine.gitDir, 'cat-file', '-e', judged)
    const tree = repository.git('--git-dir', engine.gitDir, 'rev-parse', `${judged}^{tree}`)
    const honest = await check(engine, order, told(judged, tree))
    assert.deepEqual([honest.failure, honest.commit, honest.result?.scores], [null, judged, { score: 9 }])
    assert.deepEqual([honest.flagged?.paths, honest.diff?.files], [['secret/key'], 1])
  }))

test('a commit that never arrived, or that descends from something else, is refused', () =>
  withPlace(async ({ repository, engine, base }) => {
    const missing = await check(engine, orderOf(base), fact('1'.repeat(40)))
    assert.deepEqual([missing.failure?.reason, missing.commit], ['worktree-broken', null])
    const none = await check(engine, orderOf(base), fact(null))
    assert.equal(none.failure?.reason, 'worktree-broken')
    repository.git('checkout', '-q', '--orphan', 'other')
    const orphan = repository.commit('from nowhere')
    const foreign = await check(engine, orderOf(base), fact(orphan))
    assert.deepEqual([foreign.failure?.reason, foreign.commit], ['history-rewritten', null])
    assert.equal(readRef(engine, attemptRef('r-1', 'a', 1)), null)
    await repository.write('looks-like-one', `parent ${base}\n\nbut is a file\n`)
    const blob = repository.git('hash-object', '-w', 'looks-like-one')
    const disguised = await check(engine, orderOf(base), fact(blob), { isNew: true })
    assert.deepEqual([disguised.failure?.reason, disguised.commit], ['worktree-broken', null])
  }))

test('commits of another task, a link that leads out, protected paths and claims are found here', () =>
  withPlace(async ({ repository, engine, base }) => {
    await repository.write('a.txt', 'other\n')
    const other = repository.commit('of another task')
    await check(engine, { ...orderOf(base), task: { ...orderOf(base).task, id: 'b' } }, { ...fact(other), task: 'b' })
    await repository.write('a.txt', 'mine\n')
    const merged = repository.commit('on top of it')
    const brings = await check(engine, orderOf(base), fact(merged))
    assert.match(brings.failure?.message ?? '', /commits of other tasks/)
    const says = await check(engine, orderOf(base), fact(merged), { isNew: true })
    assert.match(says.failure?.message ?? '', /commits of other tasks/, 'its last commit is new, the one below is not')
    repository.git('reset', '-q', '--hard', base)
    symlinkSync('../../outside', join(repository.top, 'link'))
    const link = await check(engine, orderOf(base), fact(repository.commit('link')))
    assert.equal(link.failure?.reason, 'symlink-escapes')
    repository.git('reset', '-q', '--hard', base)
    await repository.write('secret/key', 'stolen\n')
    const changed = repository.commit('secret')
    const guarded = await check(engine, orderOf(base, { protected: ['secret/**'] }), fact(changed))
    assert.equal(guarded.failure?.reason, 'protected-path')
    const claimed = await check(engine, orderOf(base, {}, 'enforce'), fact(changed))
    assert.equal(claimed.failure?.reason, 'claims-violated')
    const granted = await check(engine, orderOf(base, {}, 'enforce'), fact(changed), { granted: ['secret/**'] })
    assert.equal(granted.failure, null)
  }))

test('a worker is lost by its silence alone, and never by that of the database', () => {
  const watch = new HeartbeatWatch()
  const offer = { slots: 2, labels: [], resources: {} }
  const row = (beats: number, more = {}) =>
    ({ name: 'one', ...offer, beats, silentMs: 0, hasLeft: false, ...more }) as unknown as Parameters<
      HeartbeatWatch['look']
    >[0][number]
  const [joined] = watch.look([row(1)], new Map(), 0)
  assert.deepEqual(joined, { type: 'worker.joined', worker: 'one', ...offer })
  const known = new Map([['one', offer]])
  assert.deepEqual(watch.look([row(2)], known, 1_000), [])
  assert.deepEqual(watch.look([row(2)], known, 12_900), [])
  watch.forget()
  assert.deepEqual(watch.look([row(2)], known, 60_000), [], 'nobody could ask meanwhile')
  assert.equal(watch.look([row(2)], known, 72_100)[0]?.type, 'worker.lost')
  assert.deepEqual(watch.look([row(2, { silentMs: 12_100 })], new Map(), 73_000), [])
  assert.equal(watch.look([row(3)], new Map(), 74_000)[0]?.type, 'worker.joined')
  assert.equal(watch.look([row(4, { slots: 0 })], known, 75_000)[0]?.type, 'worker.joined', 'it drains')
  assert.equal(watch.look([row(5, { hasLeft: true })], known, 76_000)[0]?.type, 'worker.lost')
})

test('a commit of a submodule that only the history names is refused', () =>
  withPlace(async ({ repository, engine, base }) => {
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    repository.git('commit', '-qm', 'with a pointer')
    repository.git('rm', '-q', '--cached', 'lib')
    await repository.write('a.txt', 'two\n')
    const checked = await check(engine, orderOf(base), fact(repository.commit('without')))
    assert.equal(checked.failure?.reason, 'submodule-changed')
  }))
