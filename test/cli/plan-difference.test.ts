import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { changedPlan } from '../../src/cli/plan-difference.ts'
import type { Surroundings } from '../../src/cli/surroundings.ts'
import { Rig } from '../rig/rig.ts'

test('a plan that is to be taken over may name any agent there is', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }], { agents: { acp: { goose: { program: 'goose' } } } })
  await rig.stage.next('a')
  started.run.interrupt()
  await started.finish()
  const cwd = rig.repository.path
  const tasks = '{id: a, prompt: x, agents: [claude, codex]}, {id: b, prompt: x, agent: "acp:goose"}'
  await writeFile(join(cwd, 'plan.yaml'), `tasks: [${tasks}]\n`)
  const changed = await changedPlan({ repo: rig.top }, started.id, 'plan.yaml', { cwd } as Surroundings)
  assert.ok(changed.ok, JSON.stringify(changed))
  assert.deepEqual(changed.value?.difference, { added: ['b'], changed: ['a'], removed: [], tooLate: [] })
})
