import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { buildSuite, type SuiteFlags } from '../../../src/workloads/suite/build.ts'
import { readSuite } from '../../../src/workloads/suite/read.ts'

type SuiteSurroundings = Parameters<typeof buildSuite>[1]

const PLAN = `# Plan
## Batch 1: one
### Task 1.1: first
Do it.
### Task 1.2: second
Do it too.
## Batch 2: two
**Dependencies:** Batch 1
### Task 2.1: third
At last.
`

const AROUND: SuiteSurroundings = {
  plans: new Map([['p.md', [{ file: 'p.md', text: PLAN }]]]),
  filesLike: () => ['a.test.js', 'b.test.js', "it's.test.js"],
  fileTimes: new Map(),
  durations: new Map(),
  runner: 'node --test {files}',
  settings: DEFAULT_SETTINGS,
  agents: ['command', 'claude', 'codex'],
  workers: 2,
  compared: null,
}

function build(text: string, around: Partial<SuiteSurroundings> = {}, flags: SuiteFlags = {}) {
  const read = readSuite(text, 's.yaml')
  assert.ok(read.ok, JSON.stringify(read))
  return buildSuite(read.value, { ...AROUND, ...around }, flags)
}

function built(...given: Parameters<typeof build>) {
  const result = build(...given)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

test('a command is a task that never lands, with the retries and the timeout of the suite', () => {
  const { plan, settings } = built('entries: [{id: unit, run: npm test, priority: 3, env: {A: 1}}]')
  const [task] = plan.tasks
  assert.equal(task?.land, false)
  assert.deepEqual([task?.retries, task?.timeoutMs, task?.priority, task?.env], [2, 30 * 60_000, 3, { A: '1' }])
  assert.deepEqual(task?.work, { kind: 'command', command: 'npm test' })
  assert.deepEqual([settings.retries, plan.suite.keepFailed], [2, 5])
})

test('a plan is an epic whose tasks share a worktree; a range takes its batches', () => {
  const { plan } = built('entries: [{id: e2e, plan: p.md, batch_range: 1, agent: claude, timeout: 10m, setup: make}]')
  assert.deepEqual(plan.suite.entries[0]?.tasks, ['e2e-task-1-1', 'e2e-task-1-2'])
  for (const { isolation, epic, land, work } of plan.tasks) {
    assert.deepEqual([isolation, epic, land], ['epic', 'e2e', false])
    assert.ok(work.kind === 'prompt' && work.agent === 'claude')
  }
  assert.equal(plan.epics[0]?.timeoutMs, 600_000)
  assert.deepEqual(
    plan.tasks.map(({ setup }) => setup),
    [['make'], undefined],
  )
  const whole = built('entries: [{id: e2e, plan: p.md, batch_range: all}]').plan
  assert.deepEqual(whole.tasks.at(-1)?.needs, ['e2e-task-1-1', 'e2e-task-1-2'])
})

test('an entry that needs another one waits for all of its tasks', () => {
  const { plan } = built('entries: [{id: e2e, plan: p.md}, {id: after, run: x, needs: [e2e]}]')
  assert.deepEqual(plan.tasks.at(-1)?.needs, plan.suite.entries[0]?.tasks)
})

test('a matrix multiplies entries; agent and model are for agents, all of them are variables and templates', () => {
  const text = `matrix: {agent: [claude, codex], node: [20, 22]}
entries:
  - {id: e2e, plan: p.md, batch_range: 2}
  - {id: unit, run: "nvm use {node} && npm test"}
  - {id: once, run: x, matrix: {}}`
  const { plan } = built(text)
  const ids = plan.suite.entries.map(({ id }) => id)
  assert.deepEqual(ids.slice(0, 4), ['e2e-claude-20', 'e2e-claude-22', 'e2e-codex-20', 'e2e-codex-22'])
  assert.equal(ids.length, 9)
  const commands = plan.tasks.flatMap(({ work }) => (work.kind === 'command' ? work.command : []))
  assert.deepEqual(commands.slice(0, 2), ['nvm use 20 && npm test', 'nvm use 22 && npm test'])
  assert.deepEqual(plan.tasks[4]?.env, { ESPALIER_MATRIX_AGENT: 'claude', ESPALIER_MATRIX_NODE: '20' })
  const agents = plan.tasks.flatMap(({ work }) => (work.kind === 'prompt' ? work.agent : []))
  assert.deepEqual(agents, ['claude', 'claude', 'codex', 'codex'])
})

test('repetitions are looks: they are not tried again unless somebody says so', () => {
  const { plan } = built('entries: [{id: a, run: x, matrix: {repeat: 2}}]')
  assert.deepEqual(
    plan.tasks.map(({ id, retries }) => [id, retries]),
    [
      ['a-1', 0],
      ['a-2', 0],
    ],
  )
  assert.equal(built('entries: [{id: a, run: x}]', {}, { repeat: 3 }).plan.tasks.length, 3)
  assert.equal(built('entries: [{id: a, run: x, retries: 1}]', {}, { repeat: 3 }).plan.tasks[0]?.retries, 1)
})

test('files are split by what they took, and become words of the shell', () => {
  const times = new Map([
    ['a.test.js', 1000],
    ['b.test.js', 5000],
    ["it's.test.js", 3000],
  ])
  const { plan } = built('entries: [{id: u, files: "*.test.js"}]', { fileTimes: times })
  assert.deepEqual(
    plan.tasks.map(({ work, expected }) => [work.kind === 'command' && work.command, expected?.ms]),
    [
      ['node --test b.test.js', 5000],
      ["node --test a.test.js 'it'\\''s.test.js'", 4000],
    ],
  )
  assert.deepEqual(plan.suite.entries[0]?.shard, { number: 1, of: 2, files: ['b.test.js'] })
  const go = built('entries: [{id: u, files: "**/*_test.go", run: "go test {dirs}", shards: 1}]', {
    filesLike: () => ['x/a_test.go', 'x/b_test.go', 'c_test.go'],
  })
  assert.deepEqual(go.plan.tasks[0]?.work, { kind: 'command', command: 'go test ./. ./x' })
})

test('two trees are compared entry by entry, and an entry waits for its own side', () => {
  const compared = 'b'.repeat(40)
  const { plan } = built('entries: [{id: a, run: x}, {id: b, run: y, needs: [a]}]', { compared })
  assert.deepEqual(
    plan.tasks.map(({ id, base, needs }) => [id, base, needs]),
    [
      ['a', undefined, []],
      ['a-base', compared, []],
      ['b', undefined, ['a']],
      ['b-base', compared, ['a-base']],
    ],
  )
})

test('what an entry took before is expected again', () => {
  const { plan } = built('entries: [{id: a, run: x}, {id: e, plan: p.md}]', {
    durations: new Map([
      ['a', 4000],
      ['e', 9000],
    ]),
  })
  assert.deepEqual(
    plan.tasks.map(({ expected }) => expected?.ms),
    [4000, 3000, 3000, 3000],
  )
})

test('names that would be the same, or too long, are made different', () => {
  const { plan } = built('entries: [{id: a, run: x, matrix: {v: [b, B]}}, {id: a-b, run: x}]')
  const ids = plan.suite.entries.map(({ id }) => id)
  assert.deepEqual(ids, ['a-b', 'a-b-2', 'a-b-3'])
  const long = built(`entries: [{id: ${'x'.repeat(63)}, run: y, matrix: {repeat: 2}}]`).plan.suite.entries
  assert.deepEqual(
    long.map(({ id }) => id.length),
    [63, 63],
  )
  assert.notEqual(long[0]?.id, long[1]?.id)
})

test('more entries than the queue takes, plans that cannot be read, files that are not there: refused with the reason', () => {
  const said = (result: ReturnType<typeof build>) => (result.ok ? [] : result.problems.map(formatProblem))
  assert.match(
    said(build('queueLimit: 1\nentries: [{id: a, run: x, matrix: {repeat: 2}}]'))[0] ?? '',
    /`queueLimit` is 1/,
  )
  assert.match(said(build('entries: [{id: a, plan: p.md, batch_range: 7}]'))[0] ?? '', /7/)
  assert.match(said(build('entries: [{id: a, files: "x*"}]', { filesLike: () => [] }))[0] ?? '', /no file matches x\*/)
  assert.match(said(build('entries: [{id: a, files: "x*"}]', { runner: null }))[0] ?? '', /no test runner was found/)
})
