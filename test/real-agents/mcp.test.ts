// The real programs are handed the task manager, find it, and use it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LayerSettings } from '../../src/config.ts'
import { Rig } from '../rig/rig.ts'
import { agentTask, CLIS, cliSetup } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

/** It asks for a file that its task has not claimed, writes it, and says so twice. */
function script(name: string): Step[] {
  return [
    { do: 'tool', tool: 'request_claim', input: { paths: [`${name}.txt`] } },
    { do: 'run', command: `echo 'by ${name}' > ${name}.txt` },
    { do: 'tool', tool: 'update_task', input: { status: 'done', text: `told by ${name}` } },
    { do: 'say', text: `I wrote ${name}.txt.` },
  ]
}

test('claude, codex, opencode and gemini ask for a claim and tell that they are done', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, script(cli)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli, { claims: { write: [`${cli}/**`], read: [] } }))
  const run = await rig.start(tasks, { ...settings, claims: 'enforce' }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) assertTold(rig, run, cli)
})

test('opencode and Gemini do the same over ACP', async () => {
  await using rig = await Rig.open()
  const names = ['opencode', 'gemini'] as const
  await using server = await ModelServer.open(Object.fromEntries(names.map((name) => [name, script(name)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const agents: LayerSettings['agents'] = {
    acp: {
      opencode: { program: 'opencode', ...settings.agents?.opencode, args: ['acp'] },
      gemini: { program: 'gemini', ...settings.agents?.gemini, args: ['--experimental-acp', '--skip-trust'] },
    },
  }
  const tasks = names.map((name) => ({
    ...agentTask(name, name, { claims: { write: [`${name}/**`], read: [] } }),
    work: { kind: 'prompt' as const, prompt: `[[script:${name}]]`, agent: `acp:${name}`, model: null },
  }))
  const run = await rig.start(tasks, { agents, claims: 'enforce' }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const name of names) assertTold(rig, run, name)
})

function assertTold(rig: Rig, run: Awaited<ReturnType<Rig['start']>>, name: string): void {
  const [attempt] = run.task(name).history
  assert.deepEqual(
    attempt?.notes?.map(({ kind, text }) => [kind, text]),
    [['done', `told by ${name}`]],
  )
  assert.deepEqual(
    attempt?.asked?.map(({ paths, holder }) => [paths, holder]),
    [[[`${name}.txt`], null]],
  )
  assert.equal(rig.landedFile(run.run, `${name}.txt`), `by ${name}`)
}
