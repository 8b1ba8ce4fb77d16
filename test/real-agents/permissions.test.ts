// What each of them does with a write outside its worktree, and what becomes of a write that is denied. Three of the
// four write wherever they are asked to when nobody is there to be asked: only Gemini keeps to its folder. Such a write
// never lands, but it happens; a hook, or a sandbox around all of it, prevents it.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { agentTask, CLIS, cliSetup } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

test('a write outside the worktree never lands, and Gemini does not even make it', async () => {
  await using rig = await Rig.open()
  const outside = (cli: string) => join(rig.repository.path, `outside-${cli}.txt`)
  const scripts = CLIS.map((cli): [string, Step[]] => [cli, writes(outside(cli))])
  await using server = await ModelServer.open(Object.fromEntries(scripts))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  // An agent that changed nothing has not done its task.
  assert.equal(outcome.status, 'failed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) {
    assert.equal(run.task(cli).history[0]?.outcome, 'no-change', cli)
    assert.equal(existsSync(outside(cli)), cli !== 'gemini', cli)
  }
})

test('claude: a write that a hook denies is `refused`, although the program itself calls it a success', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({ denied: writes(join(rig.repository.path, 'outside.txt')) })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const hooks = join(rig.repository.path, 'hooks.json')
  writeFileSync(hooks, JSON.stringify(denyEverything()))
  const claude = { ...settings.agents?.claude, args: ['--settings', hooks] }
  const task = agentTask('denied', 'claude')
  const run = await rig.start([task], { ...settings, agents: { ...settings.agents, claude } }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  const [attempt] = run.task('denied').history
  assert.equal(attempt?.outcome, 'refused')
  assert.match(attempt.failure?.message ?? '', /not allowed to use Write/)
  assert.equal(existsSync(join(rig.repository.path, 'outside.txt')), false)
})

function writes(path: string): Step[] {
  return [
    { do: 'write', path, text: 'x' },
    { do: 'say', text: 'done' },
  ]
}

function denyEverything(): object {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: 'outside its claim' }
  const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } }
  const command = `echo '${JSON.stringify(answer)}'`
  return { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } }
}
