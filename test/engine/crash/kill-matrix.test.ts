// The engine dies right before and right after each of its journal writes. Resumed, the run ends as if nothing had been.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import type { Death } from '../../rig/engine-process.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { sampled, WHOLE } from '../../rig/sampled.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** Each leaves a line in `ran` whenever it runs. */
function tasks(ran: string): TaskDraft[] {
  const run = (id: string, command: string) => ({ id, run: `echo ${id} >> '${ran}'; ${command}` })
  return [
    { ...run('a', `echo a > a.txt; echo '{"type":"usage","costUsd":1}'`), verify: ['echo spoilt > a.txt'] },
    { ...run('b', 'cat a.txt > b.txt'), needs: ['a'] },
    { ...run('bad', 'echo bad > bad.txt; exit 1'), retries: 1 },
  ]
}

const UNDISTURBED = {
  status: 'failed',
  tasks: ['a landed 1', 'b landed 1', 'bad failed 2'],
  ran: ['a', 'b', 'bad', 'bad'],
  landings: ['a/1', 'b/1'],
  files: ['a', 'a'],
  refs: ['base', 'failed/bad/1', 'failed/bad/2'],
  costUsd: 1,
}

/** The run makes at least so many writes. */
const WRITES = 8

suite('the engine dies at every journal write', { concurrency: true }, () => {
  for (const when of ['before', 'after'] as const) {
    // The first makes the record of the run, the second holds its first event: until then there is no run.
    const first = when === 'before' ? 3 : 2
    const writes = Array.from({ length: WRITES - first }, (_, n) => first + n)
    for (const write of sampled(`writes to die ${when}`, writes, 2))
      test(`${when} write ${write}`, async () => {
        assert.ok(await survives({ write, when }), `the run was over before its write ${write}`)
      })
    if (WHOLE)
      test(`${when} every later write`, async () => {
        let write = WRITES
        while (await survives({ write, when })) write++
      })
  }
})

/** False if the run was over before that write. */
async function survives(death: Death): Promise<boolean> {
  await using rig = await Rig.open()
  const ran = rig.repository.at('ran')
  await using engine = new DoomedEngine(rig.top, rig.plan(tasks(ran)), makeSettings({ maxConcurrency: 2 }), { death })
  if ((await engine.ended()) === 'finished') return false
  if ((await lookAt(rig)).resumable) await (await rig.resume()).finish()
  const view = await lookAt(rig)
  const found = {
    status: view.status,
    tasks: view.tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`),
    ran: (await readFile(ran, 'utf8')).trimEnd().split('\n').sort(),
    landings: rig.landings(view),
    files: ['a.txt', 'b.txt'].map((path) => rig.landedFile(view, path)),
    refs: rig.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/espalier').split('\n'),
    costUsd: view.usage.costUsd,
  }
  assert.deepEqual(found, UNDISTURBED, JSON.stringify(death))
  return true
}

async function lookAt(rig: Rig) {
  const view = await readRun(await workspaceAt(rig.top))
  assert.ok(view.ok && view.value, JSON.stringify(view))
  return view.value
}
