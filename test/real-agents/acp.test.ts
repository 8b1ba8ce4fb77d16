// Two real ACP agents, opencode and Gemini, behind the driver.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const AGENTS = [
  { name: 'opencode', who: 'acp' },
  { name: 'gemini', who: 'acp:gemini' },
] as const

test('opencode and Gemini land a small task each over ACP', async () => {
  await using rig = await Rig.open()
  // The check lets opencode pass only after it has gone on, in the same conversation. Gemini (0.61) cannot take one up in
  // the minute in which it began: it writes both to the same file.
  const twice = [...smallTask('opencode'), ...smallTask('again')]
  await using server = await ModelServer.open({ opencode: twice, gemini: smallTask('gemini') })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = [
    agentTask('opencode', 'acp', { iterations: 2, verify: ['test -f again.txt'] }),
    agentTask('gemini', 'acp:gemini'),
  ]
  // Where the engine looks for it.
  const { program = '' } = settings.agents?.opencode ?? {}
  const acp = { ...settings.agents?.acp, opencode: { ...settings.agents?.acp?.opencode, program } }
  const run = await rig.start(tasks, { ...settings, agents: { ...settings.agents, acp } }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const name of ['opencode', 'again', 'gemini']) assert.equal(rig.landedFile(outcome, `${name}.txt`), `by ${name}`)
  for (const { name } of AGENTS) {
    const [attempt] = run.task(name).history
    assert.match(attempt?.summary ?? '', /^I wrote (again|gemini)\.txt\.$/)
    assert.equal(attempt?.session?.agent, `acp:${name}`)
    assert.equal(attempt.session.model, settings.agents?.[name]?.model)
  }
  // Also of the second process. Gemini tells nothing over ACP: it is in its files.
  assertPaid(
    server,
    AGENTS.map(({ name }) => run.task(name)),
  )
})

test('a write outside its claims is denied while it can still be: `refused`, and the file is not there', async () => {
  await using rig = await Rig.open()
  const steps: Step[] = [
    { do: 'write', path: 'outside.txt', text: 'x' },
    { do: 'say', text: 'I could not.' },
  ]
  await using server = await ModelServer.open({ opencode: steps, gemini: steps })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = AGENTS.map(({ name, who }) => agentTask(name, who, { claims: { write: [`${name}.txt`], read: [] } }))
  const run = await rig.start(tasks, { ...settings, claims: 'enforce' }, environment)
  await run.finish()
  for (const { name } of AGENTS) {
    const [attempt] = run.task(name).history
    assert.equal(attempt?.outcome, 'refused', `${name}: ${JSON.stringify(attempt?.failure)}`)
    assert.match(attempt.failure?.message ?? '', /outside\.txt/)
  }
})
