// A run that is over writes its statuses later than others have worked on the same file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeMissingStatus } from '../../../src/engine/history/write-missing-statuses.ts'
import { openRun, readPlan } from '../../../src/index.ts'
import { planFileTasks } from '../../../src/internal.ts'
import { keepUnwritten } from '../../../src/plan-file-note.ts'
import { ok } from '../../../src/problem.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SETTINGS = makeSettings({ command: 'cat >/dev/null; false', retries: 0 })

const queue = (a: string, b: string) =>
  JSON.stringify({ features: Object.entries({ A: a, B: b }).map(([id, status]) => ({ id, description: id, status })) })

test('not while an engine works here, and not over what others have written since', async () => {
  await using repository = await makeRepository()
  const file = join(repository.top, 'queue.json')
  const workspace = await workspaceAt(repository.top)
  const open = async () => {
    const text = readFileSync(file, 'utf8')
    const plan = readPlan(text, file, SETTINGS)
    assert.ok(plan.ok, JSON.stringify(plan))
    const origin = planFileTasks(plan.value.source, [{ file, text }], null)
    const opened = await openRun(workspace, { plan: plan.value.plan, settings: SETTINGS, origin })
    assert.ok(opened.ok, JSON.stringify(opened))
    return opened.value
  }
  writeFileSync(file, queue('pending', 'pending'))
  await using run = await open()
  const refused = async () => writeMissingStatus(await workspaceAt(repository.top), { run: run.id })
  await run.execute()
  const unwritten = { files: [{ file, why: 'it was not valid' }], conflicts: [] }
  assert.deepEqual(await refused(), ok(null), 'nothing is missing')
  await run[Symbol.asyncDispose]()
  await workspace.write(async (store) => ok(await keepUnwritten(store, run.id, unwritten)))

  writeFileSync(file, queue('pending', 'complete'))
  {
    await using other = await open()
    const during = await refused()
    assert.match(during.ok ? '' : String(during.problems[0]?.message), /not written while an engine works in this/)
    assert.equal(readFileSync(file, 'utf8'), queue('pending', 'complete'))
    await other.execute()
  }
  writeFileSync(file, queue('pending', 'complete'))
  const written = await refused()
  assert.equal(readFileSync(file, 'utf8'), queue('failed', 'complete'))
  const message = `the status of \`B\` stays as it is in ${file}: somebody set it to \`complete\` during the run`
  assert.deepEqual(written, ok({ files: [], conflicts: [{ file, task: 'B', message }] }))
  assert.deepEqual(await refused(), ok(null), 'nothing is missing now')
})
