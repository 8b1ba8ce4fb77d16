import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deleteRunRefs, listSlots, runsWithRefs } from '../../../src/git/engine/inventory.ts'
import { runBranch } from '../../../src/git/engine/ref-names.ts'
import { moveBranch } from '../../../src/git/landing/merge-onto.ts'
import { prepare } from '../../../src/git/slots/prepare-slot.ts'
import { lease } from '../../../src/git/slots/slot.ts'
import { makeRepository, write } from '../../rig/repository.ts'
import { openEngine, workOn } from '../engine.ts'

test('runs, kept work and slots are listed; the refs of one run can go', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const base = engine.user.head
  assert.deepEqual([await runsWithRefs(engine), await listSlots(engine)], [[], []])
  const commit = await workOn(engine, base, 'task', (path) => write(join(path, 'x'), 'x'), 2)
  await moveBranch(engine, { ref: runBranch('run'), to: commit, from: null })
  await moveBranch(engine, { ref: runBranch('run-2'), to: base, from: null })
  const ref = 'refs/espalier/runs/run/task/1'
  assert.deepEqual(await runsWithRefs(engine), [
    { run: 'run', head: commit, attempts: [{ task: 'task', attempt: 1, commit, ref }] },
    { run: 'run-2', head: base, attempts: [] },
  ])
  await prepare(lease(engine, 'verification', 1), base, { branch: 'x' })
  await mkdir(join(repository.state, 'slots', 'no-slot'))
  const slots = await listSlots(engine)
  assert.deepEqual(
    slots.map(({ slot: { kind, number, path } }) => [kind, number, path]),
    [
      ['attempt', 2, join(repository.state, 'slots/2')],
      ['verification', 1, join(repository.state, 'slots/verification-1')],
    ],
  )
  assert.ok((slots[0]?.usedAt ?? 0) > 0)
  assert.equal(await deleteRunRefs(engine, 'run'), 2)
  assert.deepEqual(await runsWithRefs(engine), [{ run: 'run-2', head: base, attempts: [] }])
  assert.equal(await deleteRunRefs(engine, 'run'), 0)
})

test('what is no id never becomes a ref', () => {
  for (const id of ['../x', '$(id)', '', 'A', 'a/b', '-x', 'x'.repeat(64)])
    assert.throws(() => runBranch(id), /not an id/)
})
