// A run that is over writes how its tasks stand later than others have worked on the same file.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeMissingStatus } from '../../../src/engine/history/write-missing-statuses.ts'
import { openRun, readPlan } from '../../../src/index.ts'
import { planOrigin } from '../../../src/internal.ts'
import { ok } from '../../../src/problem.ts'
import { keepUnwritten } from '../../../src/workspace/unwritten-statuses.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function planText(a: string, b: string): string {
  const features = [
    { id: 'A', description: 'Do a', status: a },
    { id: 'B', description: 'Do b', status: b },
  ]
  return JSON.stringify({ features })
}

const SETTINGS = makeSettings({ command: 'cat >/dev/null; false', retries: 0 })

async function open(repo: string, file: string) {
  const text = readFileSync(file, 'utf8')
  const plan = readPlan(text, file, SETTINGS)
  assert.ok(plan.ok, JSON.stringify(plan))
  const origin = planOrigin(plan.value.source, [{ file, text }], null)
  const opened = await openRun(await workspaceAt(repo), { plan: plan.value.plan, settings: SETTINGS, origin })
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.value
}

test('nothing is written while an engine works here, nor about tasks that another run has begun since', async () => {
  await using repository = await makeRepository()
  const repo = repository.top
  const file = join(repo, 'queue.json')
  const workspace = await workspaceAt(repo)
  const keep = (run: string) => workspace.write(async (store) => ok(await keepUnwritten(store, run, unwritten)))
  const unwritten = { files: [{ file, why: 'it was not valid' }], conflicts: [] }
  let old = ''
  writeFileSync(file, planText('pending', 'pending'))
  {
    await using run = await open(repo, file)
    old = run.id
    await run.execute()
  }
  await keep(old)

  let newer = ''
  writeFileSync(file, planText('pending', 'complete'))
  {
    await using run = await open(repo, file)
    newer = run.id
    const refused = await writeMissingStatus(await workspaceAt(repo), { run: old })
    assert.match(refused.ok ? '' : String(refused.problems[0]?.message), /is not written while an engine works in this/)
    assert.equal(readFileSync(file, 'utf8'), planText('pending', 'complete'))
    await run.execute()
  }

  // As if the newer one had been killed at work.
  writeFileSync(file, planText('in_progress', 'pending'))
  const written = await writeMissingStatus(await workspaceAt(repo), { run: old })
  assert.equal(readFileSync(file, 'utf8'), planText('in_progress', 'failed'))
  const message = `the status of \`A\` stays as it is in ${file}: run ${newer} has begun it since`
  assert.deepEqual(written, { ok: true, value: { files: [], conflicts: [{ file, task: 'A', message }] } })
  assert.deepEqual(
    await writeMissingStatus(await workspaceAt(repo), { run: old }),
    { ok: true, value: null },
    'nothing is missing now',
  )

  // The newer one has the last word of it.
  await keep(newer)
  assert.deepEqual(await writeMissingStatus(await workspaceAt(repo), { run: newer }), {
    ok: true,
    value: { files: [], conflicts: [] },
  })
  assert.equal(readFileSync(file, 'utf8'), planText('failed', 'failed'))
})
