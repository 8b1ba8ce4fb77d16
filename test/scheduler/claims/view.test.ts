// Who holds what in a run, and what that means for others who want to change something.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimsView } from '../../../src/held-claims.ts'
import { answered } from '../../../src/scheduler/claims/gained.ts'
import { checkClaims, claimsView } from '../../../src/scheduler/claims/view.ts'
import { Core, planOf } from '../plan-rig.ts'

function lines({ held }: ClaimsView): string[] {
  return held.map(({ holder, glob, mode, origin }) => `${holder.name} ${mode} ${glob} ${origin}`)
}

function view(core: Core): ClaimsView {
  return claimsView(core.state, 'test-1', core.now)
}

test('claims of the plan, those asked for, and those of work that waits to land', () => {
  const core = new Core(planOf({ id: 'a', claims: { write: ['src/**'], read: ['docs/**'] } }, { id: 'b' }))
  core.landings = 'wait'
  const since = core.now
  const asked = { type: 'attempt.asked' as const, task: 'a', attempt: 1, paths: ['lib/x.ts'], holder: null, request: 1 }
  core.tell(answered(core.state, asked, core.now)).wait(5_000)
  const expected = ['a write src/** plan', 'a read docs/** plan', 'a write lib/x.ts asked']
  assert.deepEqual(lines(view(core)), expected)
  assert.deepEqual([view(core).held[0]?.since, view(core).undeclared], [since, ['b']])
  assert.deepEqual(lines(view(core.succeed('a'))), expected)
})

test('what was changed without a claim is held too, where claims grow', () => {
  const core = new Core(planOf({ id: 'a', claims: ['src/**'] }), { claims: 'extend' })
  core.landings = 'wait'
  const nothing = { failure: null, diff: null, usage: null, summary: null }
  const undeclared = { paths: ['docs/x.md'], count: 1 }
  core.tell({
    type: 'attempt.finished',
    ...{ task: 'a', attempt: 1, outcome: 'changed', commit: 'c'.repeat(40), undeclared, ...nothing },
  })
  assert.deepEqual(lines(view(core)), ['a write src/** plan', 'a write docs/x.md extended'])
})

test('who waits for whom: for tasks and for people', () => {
  const core = new Core(
    planOf({ id: 'a', claims: ['src/**'] }, { id: 'b', claims: ['src/b.ts'] }, { id: 'c', claims: ['docs/**'] }),
    { slots: 1 },
  )
  core.tell({ type: 'claims.held', hold: 1, name: 'ana', glob: 'docs/x.md', since: core.now, until: core.now + 9_000 })
  assert.deepEqual(view(core).waiting, [
    { task: 'b', glob: 'src/b.ts', holder: { kind: 'task', name: 'a' } },
    { task: 'c', glob: 'docs/**', holder: { kind: 'person', name: 'ana' } },
  ])
  assert.deepEqual(claimsView(core.state, 'test-1', core.now + 9_000).waitingCount, 1, 'her time is over')
})

const held: ClaimsView = {
  run: 'r',
  held: [
    { holder: { kind: 'task', name: 'a' }, glob: 'src/**', mode: 'write', since: 1, until: null, origin: 'plan' },
    { holder: { kind: 'task', name: 'a' }, glob: 'docs/*.md', mode: 'read', since: 1, until: null, origin: 'plan' },
    { holder: { kind: 'person', name: 'ana' }, glob: 'db', mode: 'write', since: 1, until: 9, origin: 'person' },
  ],
  waiting: [],
  waitingCount: 0,
  undeclared: ['free'],
}

test('paths are free where no claims that a task with them would have to wait for', () => {
  const check = (paths: string[], as: string | null = null) => {
    const { conflicts, has_conflicts, can_proceed } = checkClaims(held, { paths, as, open: [] })
    assert.deepEqual([has_conflicts, can_proceed], [conflicts.length > 0, conflicts.length === 0])
    return conflicts.map(({ path, holder }) => `${path} ${holder.name}`)
  }
  assert.deepEqual(check(['lib/a.ts', 'docs/a.txt']), [])
  assert.deepEqual(check(['src/a.ts', 'db/one.sql', 'lib/a.ts']), ['src/a.ts a', 'db/one.sql ana'])
  assert.deepEqual(check(['docs/a.md']), ['docs/a.md a'], 'it relies on it')
  assert.deepEqual(check(['src', 'db'], 'ana'), ['src a'])
  assert.deepEqual(check(['src/a.ts'], 'a'), [])
  assert.deepEqual(check(['we[i]rd*.ts']), [], 'a path is no pattern')
})

test('warnings are of those who declared nothing and of those who come later', () => {
  const open = planOf({ id: 'later', claims: ['lib/**'] }, { id: 'other', claims: ['x'] }).tasks
  const { warnings, can_proceed } = checkClaims(held, { paths: ['lib/a.ts'], as: null, open })
  assert.deepEqual(warnings, [
    'free is running without a claim and may change anything',
    'lib/a.ts is claimed by what is to start later: later',
  ])
  assert.ok(can_proceed)
})
