import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { agentOf, checkAgents, modelOf } from '../../src/agents/agents-by-name.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/config.ts'
import type { Task } from '../../src/task.ts'
import { planOf } from '../scheduler/plan-rig.ts'

const bin = mkdtempSync(join(tmpdir(), 'espalier-agents-'))
after(() => rmSync(bin, { recursive: true }))
writeFileSync(join(bin, 'claude'), '#!/bin/sh\n', { mode: 0o755 })

function plan(...agents: string[]) {
  return planOf(
    ...agents.map((agent, n) => ({
      id: `t${n + 1}`,
      work: { kind: 'prompt', prompt: 'x', agent, model: null } as const,
    })),
  )
}

function messages(agents: string[], settings: Partial<Settings> = {}): string[] {
  const problems = checkAgents(plan(...agents), { ...DEFAULT_SETTINGS, ...settings }, { PATH: bin })
  return problems.map(({ message }) => message)
}

test('an agent whose program is there, and a shell command, are no problem', () => {
  assert.deepEqual(messages(['claude', 'claude']), [])
  assert.deepEqual(checkAgents(planOf({ id: 'a' }), DEFAULT_SETTINGS, { PATH: '' }), [])
})

test('a missing program is told once, with its tasks and what to do', () => {
  const [message, ...more] = messages(['codex', 'claude', 'codex', 'codex', 'codex'])
  assert.deepEqual(more, [])
  assert.match(message ?? '', /^the agent codex \(of t1, t3, …\) cannot be started: there is no program `codex`/)
  assert.match(message ?? '', /`agents\.codex\.program` in \.espalier\/config\.yaml; `espalier doctor` lists/)
})

test('a program can be named by its path', () => {
  const codex = { ...DEFAULT_SETTINGS.agents.codex, program: join(bin, 'claude') }
  assert.deepEqual(messages(['codex'], { agents: { ...DEFAULT_SETTINGS.agents, codex } }), [])
})

test('an unknown agent is told with those that are known', () => {
  const [message] = messages(['cluade'])
  assert.match(message ?? '', /^no such agent: cluade \(of t1\)\. Known: command, claude, codex, opencode, gemini/)
})

test('a prompt without any agent is told with what could be its agent', () => {
  assert.match(messages(['command'])[0] ?? '', /^a task has a prompt \(t1\) but no agent.*`--agent claude` \(or codex/)
  assert.match(messages(['command', 'command'])[0] ?? '', /^tasks have a prompt \(t1, t2\)/)
  assert.deepEqual(messages(['command'], { command: 'claude --print' }), [])
})

test('a command whose program is not there is told before anything starts', () => {
  const [message, ...more] = messages(['command', 'command'], { command: 'my-agent --flag' })
  assert.match(
    message ?? '',
    /^the command that is the agent \(of t1, t2\) cannot be started: .*`my-agent` on the PATH/,
  )
  assert.deepEqual(more, [])
  assert.deepEqual(messages(['command'], { command: './my-agent' }), [], 'it may be in the worktree')
  const own = plan('command')
  own.tasks[0] = { ...(own.tasks[0] as Task), env: { PATH: '/opt/agents' } }
  assert.deepEqual(checkAgents(own, { ...DEFAULT_SETTINGS, command: 'my-agent' }, { PATH: bin }), [])
  assert.equal(checkAgents(own, DEFAULT_SETTINGS, { PATH: bin }).length, 1, 'there is none')
})

test('the model is that of the task, else that of the settings, else the agent’s own', () => {
  const claude = { ...DEFAULT_SETTINGS.agents.claude, args: ['--debug'], model: 'opus' }
  const settings = { ...DEFAULT_SETTINGS, agents: { ...DEFAULT_SETTINGS.agents, claude } }
  const [a, b] = plan('claude', 'gemini').tasks as [Task, Task]
  const own: Task = { ...a, work: { kind: 'prompt', prompt: 'x', agent: 'claude', model: 'haiku' } }
  assert.deepEqual(
    [own, a, b].map((task) => modelOf(task, settings)),
    ['haiku', 'opus', null],
  )
  assert.equal(modelOf({ ...a, work: { kind: 'command', command: 'true' } }, settings), null)
  assert.equal(agentOf(a, settings).name, 'claude')
})

test('a fallback is checked like an agent, and has the model of the settings', () => {
  const codex = { ...DEFAULT_SETTINGS.agents.codex, model: 'gpt-5' }
  const settings = { ...DEFAULT_SETTINGS, agents: { ...DEFAULT_SETTINGS.agents, codex } }
  const work: Task['work'] = { kind: 'prompt', prompt: 'x', agent: 'claude', model: 'haiku', fallbacks: ['codex'] }
  const both = planOf({ id: 'a', work })
  const [problem, ...more] = checkAgents(both, settings, { PATH: bin })
  assert.match(problem?.message ?? '', /^the agent codex \(of a\) cannot be started: there is no program `codex`/)
  assert.deepEqual(more, [])
  const [task] = both.tasks as [Task]
  assert.deepEqual([modelOf(task, settings, 'claude'), modelOf(task, settings, 'codex')], ['haiku', 'gpt-5'])
  assert.deepEqual([agentOf(task, settings).name, agentOf(task, settings, 'codex').name], ['claude', 'codex'])
})
