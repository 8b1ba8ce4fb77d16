// `agents`: who does a task, the preferred one first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

type ReadPlanOptions = NonNullable<Parameters<typeof readPlan>[3]>

const agents = ['command', 'claude', 'codex', 'gemini']

function read(text: string, overrule: ReadPlanOptions['overrule'] = {}) {
  const result = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS, { agents, overrule })
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

/** `claude/opus codex`: the agent with its model, then the fallbacks. */
function workers(text: string, overrule: ReadPlanOptions['overrule'] = {}): string[] {
  return read(text, overrule).plan.tasks.map(({ work }) => {
    if (work.kind === 'command') return 'run'
    const { agent, model, fallbacks = [] } = work
    return [model === null ? agent : `${agent}/${model}`, ...fallbacks].join(' ')
  })
}

function errors(text: string, overrule: ReadPlanOptions['overrule'] = {}): string[] {
  const result = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS, { agents, overrule })
  return result.ok ? [] : result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

const PLAN = `defaults: {agents: [claude, codex], model: opus}
tasks:
  - {id: a, prompt: x}
  - {id: b, prompt: x, agent: claude}
  - {id: c, prompt: x, agents: [gemini, claude], model: flash}
  - {id: d, prompt: x, agents: [codex, claude]}
  - {id: e, run: make}
`

test('what a task says of agents takes the place of what the defaults say; a model is for the first of them', () => {
  assert.deepEqual(workers(PLAN), ['claude/opus codex', 'claude/opus', 'gemini/flash claude', 'codex claude', 'run'])
  assert.equal(read(PLAN).settings.agent, 'claude')
})

test('an agent named on the command line is the only one', () => {
  assert.deepEqual(workers(PLAN, { agent: 'claude' }), ['claude/opus', 'claude/opus', 'claude', 'claude', 'run'])
})

test('a list of one is the same as `agent`', () => {
  const one = read('tasks: [{id: a, prompt: x, agents: [codex]}]').plan
  assert.deepEqual(one, read('tasks: [{id: a, prompt: x, agent: codex}]').plan)
})

test('the defaults go before the agent of the plan', () => {
  assert.deepEqual(workers('agent: gemini\ndefaults: {agents: [claude, codex]}\ntasks: [{id: a, prompt: x}]'), [
    'claude codex',
  ])
})

test('both at one place, a name twice, and an unknown name are told where they stand', () => {
  const bad = `defaults: {agent: codex, agents: [claude]}
tasks:
  - {id: a, prompt: x, agents: [claude, cluade]}
  - {id: b, prompt: x, agents: [claude, codex, claude]}
  - {id: c, prompt: x, agents: [nobody]}
`
  assert.deepEqual(errors(bad).sort(), [
    '1:26 `agent` and `agents` cannot stand together: name the preferred agent first in `agents`',
    '3:41 there is no agent `cluade`; did you mean `claude`?',
    '4:48 `agents` names `claude` twice',
    '5:33 there is no agent `nobody`; known: command, claude, codex, gemini',
  ])
  assert.deepEqual(errors('tasks: [{id: a, prompt: x, agents: [nobody]}]', { agent: 'claude' }), [], 'nobody asks it')
})

test('a list without a name in it is refused', () => {
  assert.deepEqual(errors('tasks: [{id: a, prompt: x, agents: []}]'), ['1:36 `agents` is an empty list'])
  for (const list of ['claude', '[""]', '[1]', '{claude: codex}'])
    assert.equal(errors(`tasks: [{id: a, prompt: x, agents: ${list}}]`).length, 1, list)
})
