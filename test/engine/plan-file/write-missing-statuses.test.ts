// A run that is over writes its statuses later than others have worked on the same file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeMissingStatuses } from '../../../src/engine/history/write-missing-statuses.ts'
import { saveOrigin } from '../../../src/engine/plan-file/saved-tasks.ts'
import { openRun, readPlan } from '../../../src/index.ts'
import { ok } from '../../../src/problem.ts'
import { saveUnwritten } from '../../../src/unwritten-statuses.ts'
import { planFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { event, newRun, summary, view } from '../../store/contract.ts'

const SETTINGS = makeSettings({ command: 'cat >/dev/null; false', retries: 0 })

const queue = (a: string, b: string) =>
  JSON.stringify({ features: Object.entries({ A: a, B: b }).map(([id, status]) => ({ id, description: id, status })) })

test('not while an engine works here, and not over what others have written since', async () => {
  await using repository = await makeRepository()
  const file = join(repository.top, 'queue.json')
  const workspace = await workspaceAt(repository.top)
  const read = () => {
    const text = readFileSync(file, 'utf8')
    const plan = readPlan(text, file, SETTINGS)
    assert.ok(plan.ok, JSON.stringify(plan))
    const origin = planFileTasks(plan.value.source, [{ file, text }], null) ?? assert.fail()
    return { plan: plan.value.plan, settings: SETTINGS, origin }
  }
  const open = async () => {
    const opened = await openRun(workspace, read())
    assert.ok(opened.ok, JSON.stringify(opened))
    return opened.value
  }
  writeFileSync(file, queue('pending', 'pending'))
  await using run = await open()
  const refused = async () => writeMissingStatuses(await workspaceAt(repository.top), { run: run.id })
  await run.execute()
  const unwritten = { files: [{ file, why: 'it was not valid' }], conflicts: [] }
  assert.deepEqual(await refused(), ok(null), 'nothing is missing')
  await run[Symbol.asyncDispose]()
  await workspace.write(async (store) => ok(await saveUnwritten(store, run.id, unwritten)))

  writeFileSync(file, queue('pending', 'complete'))
  {
    await using other = await open()
    const during = await refused()
    assert.match(during.ok ? '' : String(during.problems[0]?.message), /not written while an engine works in this/)
    assert.equal(readFileSync(file, 'utf8'), queue('pending', 'complete'))
    await other.execute()
  }
  // A newer run was killed while it was at work on A: the file is its to write.
  const { repo, createdAt } = { repo: repository.top, createdAt: Date.now() + 1 }
  await workspace.write(async (store) => {
    await store.createRun({ ...newRun('newer', createdAt), repo })
    await saveOrigin({ store, run: 'newer', top: repo }, read().origin)
    const tasks = [view(read().origin.open[0]?.task ?? '', 'running')]
    return ok(await store.append('newer', [event(1)], { run: { ...summary('newer', createdAt), repo }, tasks }))
  })
  writeFileSync(file, queue('in_progress', 'complete'))
  assert.match(JSON.stringify(await refused()), /run newer of the same plan file is newer and not finished/)
  assert.equal(readFileSync(file, 'utf8'), queue('in_progress', 'complete'))
  await workspace.write(async (store) => ok(await store.deleteRun('newer')))

  const written = await refused()
  assert.equal(readFileSync(file, 'utf8'), queue('failed', 'complete'))
  const message = `the status of \`B\` stays as it is in ${file}: it says \`complete\`, which this run did not write`
  assert.deepEqual(written, ok({ files: [], conflicts: [{ file, task: 'B', message }] }))
  assert.deepEqual(await refused(), ok(null), 'nothing is missing now')
})
