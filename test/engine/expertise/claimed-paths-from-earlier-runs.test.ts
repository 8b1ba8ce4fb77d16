// What earlier runs offer as claims.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { readLearnedClaims } from '../../../src/engine/expertise/claimed-paths-from-earlier-runs.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a repository without runs offers nothing, and no state folder is made for that', async () => {
  await using rig = await Rig.open()
  const learned = await readLearnedClaims(await workspaceAt(rig.top), { plan: rig.plan([{ id: 'a' }]) })
  assert.deepEqual(learned, { ok: true, value: [] })
  assert.ok(!existsSync(rig.state))
})

test('the newest run of that plan that knows a task counts, by the work and not by what failed before', async () => {
  await using rig = await Rig.open()
  const write = (...paths: string[]) => `for f in ${paths.join(' ')}; do mkdir -p $(dirname $f); date > $f; done`
  const claims = { write: ['src/api/**'], read: [] }
  const tasks = [
    { id: 'api', run: `test -e src/api/a.ts && echo > package.json; ${write('src/api/a.ts', 'src/api/b.ts')}`, claims },
    { id: 'web', run: write('web/ui/a.css', 'web/ui/b.css') },
    { id: 'broken', run: `${write('junk')}; exit 1` },
  ]
  await rig.run(tasks)
  rig.git('merge', '-q', 'espalier/plan-1')
  const second = await rig.run(tasks.slice(0, 1))
  assert.equal(second.outcome.counts.landed, 1)
  const plan = rig.plan(tasks)
  const learned = await readLearnedClaims(await workspaceAt(rig.top), { plan })
  assert.ok(learned.ok)
  assert.deepEqual(
    learned.value.map(({ task, run, claims }) => [task, run, claims.write]),
    [
      ['api', 'plan-2', ['src/api/**', 'package.json']],
      ['web', 'plan-1', ['web/ui/**']],
    ],
  )
  const other = await readLearnedClaims(await workspaceAt(rig.top), { plan: { ...plan, name: 'other' } })
  assert.deepEqual(other, { ok: true, value: [] }, 'another plan may mean something else by the same names')
})
