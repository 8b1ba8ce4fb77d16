// What a run executes is in its journal and in its view; a plan says nothing of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRun, readEvents, readRun, resumeRun } from '../../../src/index.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a suite stays a suite when it is resumed; a plan has no kind', async () => {
  await using repository = await makeRepository()
  const workspace = await workspaceAt(repository.top)
  const settings = makeSettings()
  const plan = makePlan([{ id: 'a', run: 'true', land: false }])
  const opened = await openRun(workspace, { plan, settings, kind: 'suite' })
  assert.ok(opened.ok)
  await opened.value[Symbol.asyncDispose]()
  const resumed = await resumeRun(workspace)
  assert.ok(resumed.ok)
  assert.equal(resumed.value.summary().kind, 'suite')
  await resumed.value.execute()
  await resumed.value[Symbol.asyncDispose]()
  const read = await readRun(workspace, { run: 'plan-1' })
  assert.ok(read.ok && read.value)
  assert.equal(read.value.kind, 'suite')
  const events = await readEvents(workspace, { run: 'plan-1' })
  assert.ok(events.ok && events.value[0]?.type === 'run.started')
  assert.equal(events.value[0].kind, 'suite')
  const second = await openRun(workspace, { plan: makePlan([{ id: 'a', run: 'true' }]), settings })
  assert.ok(second.ok)
  await using run = second.value
  assert.equal('kind' in run.summary(), false)
})
