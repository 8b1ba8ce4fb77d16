import assert from 'node:assert/strict'

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { readDifference } from '../../../src/engine/open/take-over-changed-plan.ts'
import { readOrigin } from '../../../src/engine/plan-file/saved-tasks.ts'
import { readEvents, readRun, resumeRun } from '../../../src/index.ts'
import { ok } from '../../../src/problem.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a changed plan is shown as a difference, and taken over where it is not too late', async () => {
  await using rig = await Rig.open()
  const before = [
    { id: 'first' },
    { id: 'second', run: 'echo old > second', needs: ['first'] },
    { id: 'third', run: 'true', needs: ['second'] },
  ]
  const started = await rig.start(before)
  await rig.stage.next('first')
  started.run.interrupt()
  const { outcome } = await started.finish()
  assert.ok(outcome.interrupted)

  const now = [
    { id: 'first', run: 'echo new > first' },
    { id: 'second', run: 'echo new > second', needs: ['first'] },
    { id: 'fourth', run: 'echo new > fourth', needs: ['second'] },
  ]
  const plan = rig.plan(now)
  const difference = await readDifference(await workspaceAt(rig.top), { run: started.id, plan })
  assert.deepEqual(difference, {
    ok: true,
    value: { added: ['fourth'], changed: ['first', 'second'], removed: ['third'], tooLate: [] },
  })

  const resumed = await resumeRun(await workspaceAt(rig.top), { replan: plan })
  assert.ok(resumed.ok, JSON.stringify(resumed))
  await using run = resumed.value
  const result = await run.execute()
  assert.equal(result.status, 'completed')
  assert.deepEqual(
    ['first', 'second', 'fourth'].map((file) => rig.landedFile(result, file)),
    ['new', 'new', 'new'],
  )
  const view = await readRun(await workspaceAt(rig.top))
  assert.ok(view.ok && view.value)
  assert.deepEqual(
    view.value.tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`),
    ['first landed 2', 'second landed 1', 'fourth landed 1'],
  )
})

test('a run that was replanned and killed comes back with the plan it has now', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  started.run.interrupt()
  await started.finish()
  const replanned = await resumeRun(await workspaceAt(rig.top), {
    replan: rig.plan([{ id: 'a' }, { id: 'b', run: 'echo b > b', needs: ['a'] }]),
  })
  assert.ok(replanned.ok)
  {
    await using run = replanned.value
    const going = run.execute()
    await rig.stage.next('a')
    run.interrupt()
    await going
  }
  const again = await rig.resume()
  const puppet = await rig.stage.next('a')
  await puppet.write('a', 'a')
  await puppet.exit()
  const { outcome } = await again.finish()
  assert.equal(outcome.status, 'completed')
  assert.equal(rig.landedFile(outcome, 'b'), 'b')
})

test('the journal has added tasks only once it is kept what the plan file says of them', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  started.run.interrupt()
  await started.finish()
  const path = join(rig.top, 'plan.json')
  const open = ['a', 'b'].map((task) => ({ path, task, source: task, status: 'pending', says: task }))
  const origin = { format: 'implementation-plan', part: null, open }
  const replan = rig.plan([{ id: 'a' }, { id: 'b', run: 'true' }])
  const workspace = await workspaceAt(rig.top)
  const run = started.id
  // What an engine does that is killed before it has kept that.
  using db = new DatabaseSync(workspace.folder.database)
  db.exec(`create trigger in_the_way before insert on note begin select raise(abort, 'not now'); end`)
  const refused = await resumeRun(workspace, { run, replan, origin })
  assert.ok(!refused.ok)
  assert.match(refused.problems.map(({ message }) => message).join(), /not now/)
  const kinds = async () => {
    const events = await readEvents(workspace, { run })
    return events.ok ? events.value.map(({ type }) => type) : []
  }
  assert.ok(!(await kinds()).includes('run.replanned'))
  db.exec('drop trigger in_the_way')
  const resumed = await resumeRun(workspace, { run, replan, origin })
  assert.ok(resumed.ok, JSON.stringify(resumed))
  await using _run = resumed.value
  assert.ok((await kinds()).includes('run.replanned'))
  assert.deepEqual(await readOrigin(workspace, started.id), ok(origin))
})
