// `espalier plan new` with the real Claude Code: what is wrong with its plan goes back to it in the same conversation.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlanning } from '../../src/engine/planning/new-plan.ts'
import { readPlan } from '../../src/index.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { cliSetup } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

const write = (plan: string) => `cat > espalier-plan.yaml <<'END'\n${plan}END`
const tasks = (need: string) => `name: shop
tasks:
  - {id: schema, prompt: Create the tables., claims: [db/**], verify: ["true"], estimate: 10m}
  - {id: users, needs: [${need}], prompt: Serve users., claims: [api/**], estimate: 20m}
`

test('claude makes a plan, and puts it right when it is told what is wrong', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({
    planning: [
      { do: 'run', command: 'git ls-files' },
      { do: 'run', command: write(tasks('shcema')) },
      { do: 'say', text: 'The plan is written.' },
      { do: 'run', command: write(tasks('schema')) },
      { do: 'say', text: 'It needs schema, not shcema.' },
    ],
  })
  const setup = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const settings = makeSettings({ ...setup.settings, agent: 'claude' })
  const before = rig.git('for-each-ref')
  const opened = await openPlanning(await workspaceAt(rig.top), {
    ...{ objective: 'Users can be listed. [[script:planning]]', settings, below: settings },
    ...{ agents: ['claude'], model: null, environment: setup.environment },
  })
  assert.ok(opened.ok, JSON.stringify(opened))
  {
    await using planning = opened.value
    const result = await planning.run.execute()
    assert.equal(result.status, 'completed', `${JSON.stringify(result.failures)} ${server.story}`)
    assert.ok(result.costUsd, 'what it cost is known')
    const text = (await planning.text()) ?? ''
    assert.equal(text, tasks('schema'))
    assert.ok(readPlan(text, 'plan.yaml', settings).ok)
    const [attempt] = planning.run.status().tasks[0]?.history ?? []
    assert.equal(attempt?.iterations, 2)
  }
  assert.equal(rig.git('for-each-ref'), before)
  assert.equal(existsSync(join(rig.state, 'planning', 'work')), false)
})
