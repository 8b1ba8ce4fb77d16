import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, resolveSettings } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import type { Task } from '../../../src/task.ts'
import { type ReadPlan, readPlan } from '../../../src/workloads/plan/read.ts'
import { processorMs } from '../../rig/processor-time.ts'

type ReadPlanOptions = NonNullable<Parameters<typeof readPlan>[3]>

function read(text: string, file = 'plan.yaml', options: ReadPlanOptions = {}): ReadPlan {
  const result = readPlan(text, file, DEFAULT_SETTINGS, options)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

function taskOf(text: string, id = 'a', options: ReadPlanOptions = {}): Task {
  const task = read(text, 'plan.yaml', options).plan.tasks.find((candidate) => candidate.id === id)
  assert.ok(task)
  return task
}

test('the smallest plan has every default filled in', () => {
  const { plan, settings, warnings } = read('tasks:\n  - {id: a, prompt: Say hello}\n')
  assert.deepEqual(plan, {
    name: 'plan',
    base: null,
    epics: [],
    tasks: [
      {
        id: 'a',
        title: 'Say hello',
        epic: null,
        needs: [],
        after: [],
        claims: { write: [], read: [] },
        work: { kind: 'prompt', prompt: 'Say hello', agent: 'command', model: null },
        verify: [],
        priority: 0,
        estimateMs: null,
        land: true,
        isolation: 'task',
        env: {},
        tags: [],
      },
    ],
  })
  assert.deepEqual(settings, {})
  assert.deepEqual(warnings, [])
})

test('the example of the format is read as it is meant', () => {
  const text = `
name: checkout
base: main
defaults: {agent: claude, model: opus, retries: 2, timeout: 30m}
landing: {conflict: retry, verify: npm test, timeout: 10m, window: 2, allgreen: true, reruns: 1}
maxConcurrency: 4
epics:
  - {id: api, needs: [], isolation: task}
tasks:
  - id: schema
    title: Create the tables
    prompt: Create the users and orders tables …
    claims: [db/**]
    verify: [npm run db:check]
  - id: client
    needs: [schema]
    run: npm run codegen && git add -A
`
  const { plan, settings } = read(text, 'x.yaml', { agents: ['claude', 'command'] })
  assert.equal(plan.name, 'checkout')
  assert.equal(plan.base, 'main')
  const [schema, client] = plan.tasks
  const prompt = 'Create the users and orders tables …'
  assert.deepEqual(schema?.work, { kind: 'prompt', prompt, agent: 'claude', model: 'opus' })
  assert.deepEqual(schema?.claims, { write: ['db/**'], read: [] })
  assert.deepEqual(schema?.verify, ['npm run db:check'])
  assert.deepEqual(client?.work, { kind: 'command', command: 'npm run codegen && git add -A' })
  assert.deepEqual(client?.needs, ['schema'])
  assert.equal(client?.retries, undefined, 'the defaults of the plan are settings of the run')
  assert.deepEqual(settings, {
    maxConcurrency: 4,
    agent: 'claude',
    retries: 2,
    timeoutMs: 1_800_000,
    landing: {
      conflict: 'retry',
      verify: ['npm test'],
      timeoutMs: 600_000,
      window: 2,
      allgreen: true,
      reruns: 1,
    },
  })
})

test('one path to claim needs no list', () => {
  const claims = (written: string) => taskOf(`tasks: [{id: a, run: x, claims: ${written}}]`)?.claims
  assert.deepEqual(claims('./src/'), { write: ['src'], read: [] })
  assert.deepEqual(claims('{write: src, read: docs}'), { write: ['src'], read: ['docs'] })
})

test('everything a task can say reaches the task', () => {
  const task = taskOf(`
tasks:
  - id: a
    run: make
    title: Make it
    epic: api
    after: [b]
    claims: {write: [./src/, .], read: [docs]}
    verify: make check
    priority: critical
    estimate: 90
    timeout: 1.5h
    retries: 0
    land: false
    isolation: epic
    env: {A: x, B: 1, C: true}
    tags: [slow]
  - {id: b, run: x}
`)
  assert.deepEqual(task, {
    id: 'a',
    title: 'Make it',
    epic: 'api',
    needs: [],
    after: ['b'],
    claims: { write: ['src', '**'], read: ['docs'] },
    work: { kind: 'command', command: 'make' },
    verify: ['make check'],
    priority: 20,
    estimateMs: 90_000,
    timeoutMs: 5_400_000,
    retries: 0,
    land: false,
    isolation: 'epic',
    env: { A: 'x', B: '1', C: 'true' },
    tags: ['slow'],
  })
})

test('a task overrules its epic, the epic the defaults, the defaults the settings', () => {
  const text = `
env: {A: plan, B: plan}
defaults: {priority: low, isolation: task, timeout: 10m, env: {B: defaults}, verify: [lint], tags: [x]}
epics: [{id: e, priority: high, isolation: epic}]
tasks:
  - {id: a, run: x, epic: e, priority: 3, isolation: task, timeout: 1m, env: {B: task}, verify: [], tags: [y]}
  - {id: b, run: x, epic: e}
  - {id: c, run: x}
`
  const pick = ({ priority, isolation, timeoutMs, env, verify, tags }: Task) => ({
    priority,
    isolation,
    timeoutMs,
    env,
    verify,
    tags,
  })
  const plain = { timeoutMs: undefined, env: { A: 'plan', B: 'defaults' }, verify: ['lint'], tags: ['x'] }
  assert.deepEqual(read(text).plan.tasks.map(pick), [
    { priority: 3, isolation: 'task', timeoutMs: 60_000, env: { A: 'plan', B: 'task' }, verify: [], tags: ['y'] },
    { priority: 10, isolation: 'epic', ...plain },
    { priority: -10, isolation: 'task', ...plain },
  ])
})

test('what a flag says goes above the plan, but not above the limits of a task', () => {
  const text = `
agent: claude
defaults: {retries: 5, timeout: 1h}
tasks:
  - {id: a, prompt: x, agent: codex, retries: 7, timeout: 5m}
  - {id: b, prompt: x}
`
  const overrule = { agent: 'command' }
  const a = taskOf(text, 'a', { overrule })
  const b = taskOf(text, 'b', { overrule })
  assert.deepEqual([a.work, b.work], Array(2).fill({ kind: 'prompt', prompt: 'x', agent: 'command', model: null }))
  assert.deepEqual([a.retries, a.timeoutMs, b.retries, b.timeoutMs], [7, 300_000, undefined, undefined])
})

test('a model goes with the agent it was written for', () => {
  const text = `
defaults: {agent: claude, model: opus}
tasks:
  - {id: a, prompt: x}
  - {id: b, prompt: x, model: haiku}
  - {id: c, prompt: x, agent: codex}
  - {id: d, prompt: x, agent: codex, model: gpt-5}
`
  const models = (overrule?: { agent: string }) =>
    ['a', 'b', 'c', 'd'].map((id) => {
      const { work } = taskOf(text, id, { agents: ['claude', 'codex'], ...(overrule && { overrule }) })
      return work.kind === 'prompt' ? `${work.agent} ${work.model}` : ''
    })
  assert.deepEqual(models(), ['claude opus', 'claude haiku', 'codex null', 'codex gpt-5'])
  assert.deepEqual(models({ agent: 'claude' }), ['claude opus', 'claude haiku', 'claude null', 'claude null'])
})

test('a plan can make settings, and they resolve like any other layer', () => {
  const { settings } = read(`
maxConcurrency: 7
maxPerEpic: 2
schedule: waves
strict: true
keep: [node_modules]
setup: npm ci
command: my-agent
agent: command
tasks: [{id: a, run: x}]
`)
  const resolved = resolveSettings([{ from: 'plan.yaml', settings }])
  assert.equal(resolved.settings.maxConcurrency, 7)
  assert.equal(resolved.settings.schedule, 'waves')
  assert.deepEqual(resolved.settings.setup, ['npm ci'])
  assert.equal(resolved.origin.setup, 'plan.yaml')
  assert.equal(resolved.origin.retries, 'default')
})

test('a title is the first line of the work: if that is long its first sentence, else whole words', () => {
  assert.equal(taskOf('tasks: [{id: a, prompt: "\\n  One line\\nand more"}]').title, 'One line')
  const long = taskOf(`tasks: [{id: a, run: ${'x'.repeat(100)}}]`).title
  assert.equal(long, 'x'.repeat(72))
  const words = 'word '.repeat(30)
  assert.equal(taskOf(`tasks: [{id: a, prompt: ${words}}]`).title, 'word '.repeat(14).trimEnd())
  const sentences = `Add a login form. ${words}`
  assert.equal(taskOf(`tasks: [{id: a, prompt: ${sentences}}]`).title, 'Add a login form.')
})

test('the name comes from the file where the plan has none', () => {
  const text = '{"tasks": [{"id": "a", "run": "x"}]}'
  const names = ['My Plan (2).json', 'plans/Über uns.yaml', '###.json', `${'long-'.repeat(20)}.json`, '.json']
  assert.deepEqual(
    names.map((file) => read(text, file).plan.name),
    ['my-plan-2', 'uber-uns', 'plan', 'long-long-long-long-long-long-long-long', 'json'],
  )
})

test('a plan in the file that need not be named is called as its folder', () => {
  const text = 'tasks: [{id: a, run: x}]'
  const nameIn = (file: string, folder?: string) => {
    const read = readPlan(text, file, DEFAULT_SETTINGS, { folder })
    return read.ok ? read.value.plan.name : null
  }
  assert.equal(nameIn('espalier.yaml', '/home/ana/Tea Shop'), 'tea-shop')
  assert.equal(nameIn('../espalier.yml', '/home/ana/shop/src'), 'shop')
  assert.equal(nameIn('docs/plans/espalier.yaml', '/home/ana/shop'), 'shop', 'folders that all are called so')
  assert.equal(nameIn('espalier.yaml'), 'espalier', 'where the folder is not known')
  assert.equal(nameIn('plan.yaml', '/home/ana/shop'), 'plan')
})

test('the setup of a task is its own, or that of the defaults', () => {
  const { plan } = read(`defaults: {setup: make}
tasks:
  - {id: a, prompt: x}
  - {id: b, prompt: x, setup: [make all, make b]}
  - {id: c, prompt: x, setup: []}
`)
  assert.deepEqual(
    plan.tasks.map(({ setup }) => setup),
    [['make'], ['make all', 'make b'], undefined],
  )
})

test('fields of a later version are checked and reported', () => {
  const { warnings } = read('landing: {branch: main}\ntasks: [{id: a, prompt: x}]')
  assert.deepEqual(
    warnings.map(({ line, column, message, severity }) => `${line}:${column} ${severity} ${message}`),
    ['1:11 warning `landing.branch` is not used by this version'],
  )
})

test('epics need no list where there is nothing to say about them', () => {
  const { plan } = read('tasks: [{id: a, run: x, epic: api}, {id: b, run: x, epic: ui}, {id: c, run: x, epic: api}]')
  assert.deepEqual(plan.epics, [
    { id: 'api', title: 'api', needs: [] },
    { id: 'ui', title: 'ui', needs: [] },
  ])
})

test('what an epic needs becomes needs of its first tasks on the last tasks of the other', () => {
  const { plan } = read(`
epics: [{id: e, needs: [f]}, {id: f}]
tasks:
  - {id: e1, run: x, epic: e}
  - {id: e2, run: x, epic: e, needs: [e1]}
  - {id: e3, run: x, epic: e, after: [e1], needs: [other]}
  - {id: f1, run: x, epic: f}
  - {id: f2, run: x, epic: f, needs: [f1]}
  - {id: f3, run: x, epic: f, after: [f2]}
  - {id: other, run: x}
`)
  const needs = Object.fromEntries(plan.tasks.map((task) => [task.id, task.needs]))
  assert.deepEqual(needs, {
    e1: ['f2', 'f3'],
    e2: ['e1'],
    e3: ['other', 'f2', 'f3'],
    f1: [],
    f2: ['f1'],
    f3: [],
    other: [],
  })
})

test('a need written twice counts once', () => {
  assert.deepEqual(taskOf('tasks: [{id: a, run: x, needs: [b, b, c, b]}, {id: b, run: x}, {id: c, run: x}]').needs, [
    'b',
    'c',
  ])
})

test('JSON may have comments, trailing commas and a byte order mark', () => {
  const { plan } = read('\ufeff// a plan\n{"tasks": [ /* one */ {"id": "a", "run": "x",},],}', 'plan.json')
  assert.equal(plan.tasks.length, 1)
})

test('braces in a YAML file are YAML', () => {
  assert.equal(read('{tasks: [{id: a, run: x}]}').plan.tasks.length, 1)
  assert.equal(read('{"tasks": [{"id": "a", "run": "x"}]}').plan.tasks.length, 1)
})

test('aliases are fine where they save typing', () => {
  const tasks = Array.from({ length: 500 }, (_, i) => `  - {id: t${i}, run: x, claims: ${i === 0 ? '&c [src]' : '*c'}}`)
  assert.deepEqual(read(`tasks:\n${tasks.join('\n')}\n`).plan.tasks[499]?.claims.write, ['src'])
})

test('a chain of 100,000 tasks is a plan like any other, and read in time that grows with it', () => {
  const chain = (length: number): string =>
    JSON.stringify({
      tasks: Array.from({ length }, (_, i) => ({ id: `t-${i}`, run: 'x', needs: i === 0 ? [] : [`t-${i - 1}`] })),
    })
  const timeOf = (length: number): number => {
    const text = chain(length)
    const start = processorMs()
    assert.equal(read(text, 'plan.json').plan.tasks.length, length)
    return processorMs() - start
  }
  timeOf(10_000)
  const small = timeOf(10_000)
  // Ten times the tasks; anything quadratic would take a hundred times as long.
  assert.ok(timeOf(100_000) < 50 * Math.max(small, 10))
})

test('an objective and decisions: a task has those of its epic too, each once', () => {
  const { plan, warnings } = read(`
objective: Ship the checkout
defaults: {decision: ADR-1}
epics: [{id: api, decision: [ADR-3, ADR-12]}]
tasks:
  - {id: a, run: x, epic: api, decision: [ADR-12, ' RFC 7 ']}
  - {id: b, run: x, epic: api}
  - {id: c, run: x, decision: ADR-9}
  - {id: d, run: x, decision: []}
`)
  assert.deepEqual(warnings, [])
  assert.equal(plan.objective, 'Ship the checkout')
  assert.deepEqual(plan.epics[0]?.decisions, ['ADR-3', 'ADR-12'])
  assert.deepEqual(
    plan.tasks.map(({ decisions }) => decisions),
    [['ADR-3', 'ADR-12', 'RFC 7'], ['ADR-3', 'ADR-12', 'ADR-1'], ['ADR-9'], undefined],
  )
})

test('a decision is a reference in one line', () => {
  for (const decision of [true, { by: 'me' }, '', ' ', 'two\nlines', 'x'.repeat(201), [7]]) {
    const text = JSON.stringify({ tasks: [{ id: 'a', run: 'x', decision }] })
    const found = readPlan(text, 'plan.json', DEFAULT_SETTINGS)
    assert.ok(!found.ok, JSON.stringify(decision))
    assert.match(found.problems[0]?.message ?? '', /decision/)
  }
})

test('what orders in a circle is left out with a warning, what is needed stays', () => {
  const text =
    'tasks:\n  - {id: a, run: x, after: [b]}\n  - {id: b, run: x, needs: [c]}\n  - {id: c, run: x, after: [a]}\n'
  const read = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok)
  assert.deepEqual(
    read.value.plan.tasks.map(({ needs, after }) => [needs, after]),
    [
      [[], []],
      [['c'], []],
      [[], []],
    ],
  )
  assert.deepEqual(read.value.warnings.map(formatProblem), [
    'plan.yaml:2:29: warning: task `a` does not come after `b`, because they wait for each other in a circle',
    'plan.yaml:4:29: warning: task `c` does not come after `a`, because they wait for each other in a circle',
  ])
})
