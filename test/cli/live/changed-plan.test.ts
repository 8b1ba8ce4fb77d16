import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { changedPlan } from '../../../src/cli/live/changed-plan.ts'
import type { Surroundings } from '../../../src/cli/surroundings.ts'
import { openRun, readPlan } from '../../../src/index.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a plan that is to be taken over may name any agent there is', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }], { agents: { acp: { goose: { program: 'goose' } } } })
  await rig.stage.next('a')
  started.run.interrupt()
  await started.finish()
  const cwd = rig.repository.path
  const tasks = '{id: a, prompt: x, agents: [claude, codex]}, {id: b, prompt: x, agent: "acp:goose"}'
  await writeFile(join(cwd, 'plan.yaml'), `tasks: [${tasks}]\n`)
  const changed = await changedPlan(await workspaceAt(rig.top), started.id, 'plan.yaml', { cwd } as Surroundings)
  assert.ok(changed.ok, JSON.stringify(changed))
  assert.deepEqual(changed.value?.difference, { added: ['b'], changed: ['a'], removed: [], tooLate: [] })
})

test('the agent that a flag gave every prompt when the run began has them all, unless it is told otherwise', async () => {
  await using repository = await makeRepository()
  const cwd = repository.path
  const file = join(cwd, 'plan.yaml')
  const text = 'defaults: {agent: claude}\ntasks: [{id: a, prompt: x}, {id: b, prompt: x, agent: codex}]\n'
  const settings = makeSettings({ command: 'true' })
  const read = readPlan(text, file, settings, { agents: ['claude', 'codex'], overrule: { agent: 'command' } })
  assert.ok(read.ok)
  const options = { plan: read.value.plan, settings, planFile: file, onlyAgent: 'command' }
  const opened = await openRun(await workspaceAt(repository.top), options)
  assert.ok(opened.ok, JSON.stringify(opened))
  await opened.value[Symbol.asyncDispose]()

  const look = async (agent?: string) => {
    const changed = await changedPlan(await workspaceAt(repository.top), undefined, true, { cwd } as Surroundings, {
      agent,
    })
    assert.ok(changed.ok, JSON.stringify(changed))
    const { added = [], changed: others = [] } = changed.value?.difference ?? {}
    const agents = changed.value?.plan.tasks.map(({ work }) => work.kind === 'prompt' && work.agent)
    return { changed: [...added, ...others], agents: agents ?? [] }
  }
  await writeFile(file, text)
  assert.deepEqual(await look(), { changed: [], agents: [] })
  await writeFile(file, text.replace(']\n', ', {id: c, prompt: x, agent: codex}]\n'))
  assert.deepEqual(await look(), { changed: ['c'], agents: ['command', 'command', 'command'] })
  assert.deepEqual(await look('codex'), { changed: ['c', 'a', 'b'], agents: ['codex', 'codex', 'codex'] })
})
