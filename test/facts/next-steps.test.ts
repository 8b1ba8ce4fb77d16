import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../../src/event.ts'
import { nextSteps, stepToContinue } from '../../src/facts/next-steps.ts'
import type { Budget, BudgetsView, RunView, TaskView } from '../../src/view.ts'
import { BASE, sampleRun, sampleTask } from '../cli/sample-run.ts'
import { attemptOf } from '../reports/sample.ts'

const RUN = 'checkout-7'
const COMMIT = 'c'.repeat(40)
const failure: Failure = { reason: 'verify-failed', message: 'npm test exited with 1' }
const failed = (id: string, more: Partial<TaskView> = {}) => sampleTask(id, 'failed', { failure, ...more })
const withWork = [attemptOf({ attempt: 1, commit: COMMIT })]
const ofRun: Budget = { scope: 'run', name: 'run', budgetUsd: 5, spentUsd: 5 }
const ofEpic: Budget = { scope: 'epic', name: 'api', budgetUsd: 1, spentUsd: 1 }
const holding = (...all: Budget[]): BudgetsView => {
  return { budgetUsd: 5, onReached: 'finish', spentUsd: 5, reached: [], holding: all }
}

const over = { status: 'failed', resumable: false } as const
const waiting = { status: 'waiting', resumable: true } as const
const report = `espalier report ${RUN} --html`
const landing = `espalier land ${RUN}`
const retry = `espalier retry --run ${RUN}`

type Case = {
  name: string
  tasks?: TaskView[]
  view?: Partial<RunView>
  known?: Parameters<typeof nextSteps>[1]
  commands: string[]
}

const cases: Case[] = [
  {
    name: 'all landed',
    tasks: [sampleTask('a', 'landed')],
    view: { status: 'completed' },
    commands: [landing, report],
  },
  {
    name: 'all landed, and on the branch of the user already',
    tasks: [sampleTask('a', 'landed')],
    view: { status: 'completed' },
    known: { landedOn: 'main' },
    commands: [report],
  },
  { name: 'nothing to land', tasks: [sampleTask('a', 'passed')], view: { status: 'completed' }, commands: [report] },
  {
    name: 'an engine is at work',
    tasks: [failed('a'), sampleTask('b', 'landed'), sampleTask('c', 'running'), sampleTask('d', 'conflict')],
    view: { engine: { pid: 1 }, resumable: true },
    commands: [`espalier status ${RUN} --watch`, `espalier resolve d --run ${RUN}`, `espalier logs a --run ${RUN}`],
  },
  {
    name: 'interrupted: what landed is not offered before the rest',
    tasks: [sampleTask('a', 'landed'), sampleTask('b', 'pending')],
    view: { status: 'cancelled', resumable: true },
    commands: [`espalier resume ${RUN}`, report],
  },
  {
    name: 'its engine died',
    tasks: [sampleTask('a', 'running')],
    view: { status: 'running', resumable: true },
    commands: [`espalier resume ${RUN}`, report],
  },
  {
    name: 'waits for more money of the run and of an epic',
    view: { ...waiting, budgets: holding(ofEpic, ofRun) },
    commands: [`espalier resume ${RUN} --budget-usd N`, `espalier resume ${RUN} --replan`, report],
  },
  {
    name: 'waits for conflicts: three are named',
    tasks: ['a', 'b', 'c', 'd'].map((id) => sampleTask(id, 'conflict')),
    view: waiting,
    commands: [...['a', 'b', 'c'].map((id) => `espalier resolve ${id} --run ${RUN}`), report],
  },
  {
    name: 'waits for a conflict: what failed besides can be retried meanwhile',
    tasks: [sampleTask('a', 'conflict'), failed('b')],
    view: waiting,
    commands: [`espalier resolve a --run ${RUN}`, `espalier logs b --run ${RUN}`, retry, report],
  },
  {
    name: 'waits for a conflict and for money: without money nothing can be retried',
    tasks: [sampleTask('a', 'conflict'), failed('b')],
    view: { ...waiting, budgets: holding(ofRun) },
    commands: [
      `espalier resume ${RUN} --budget-usd N`,
      `espalier resolve a --run ${RUN}`,
      `espalier logs b --run ${RUN}`,
      report,
    ],
  },
  {
    name: 'a search has found something better',
    tasks: [sampleTask('root-1', 'passed', { history: withWork }), failed('root-2')],
    view: { status: 'completed', kind: 'search' },
    commands: [landing, `espalier search show ${RUN}`],
  },
  {
    name: 'a search has found nothing better',
    tasks: [sampleTask('root-1', 'passed')],
    view: { status: 'completed', kind: 'search', head: BASE },
    commands: [`espalier search show ${RUN}`],
  },
  {
    name: 'an entry of a suite failed',
    tasks: [failed('e2e', { history: withWork }), sampleTask('unit', 'passed', { history: withWork })],
    view: { ...over, kind: 'suite' },
    known: { keptWorktrees: ['e2e'] },
    commands: [`espalier logs e2e --run ${RUN}`, `espalier open e2e --run ${RUN}`, retry, report],
  },
  {
    name: 'failed with work left, and something landed',
    tasks: [failed('a', { history: withWork }), sampleTask('b', 'landed')],
    view: over,
    commands: [`espalier logs a --run ${RUN}`, `git show refs/espalier/${RUN}/failed/a/1`, retry, landing, report],
  },
  {
    name: 'work that did not merge: the log has nothing of that',
    tasks: [failed('a', { failure: { reason: 'conflict', message: 'in db.sql' } })],
    view: over,
    commands: [retry, report],
  },
  {
    name: 'another run has landed what failed, so there is nothing to retry',
    tasks: [failed('a'), sampleTask('b', 'blocked', { needs: ['a'] })],
    view: over,
    known: { landedSince: new Map([['a', 'shop-2']]) },
    commands: [`espalier logs a --run ${RUN}`, report],
  },
  {
    name: 'cancelled tasks can be retried',
    tasks: [sampleTask('a', 'cancelled')],
    view: { status: 'cancelled', resumable: false },
    commands: [retry, report],
  },
  {
    name: 'work that is not meant to land',
    tasks: [sampleTask('a', 'passed', { history: withWork })],
    view: { status: 'completed' },
    commands: [`git show refs/espalier/${RUN}/kept/a/1`, report],
  },
  {
    name: 'the plan file could not be written',
    tasks: [sampleTask('a', 'passed')],
    view: { status: 'completed', unwritten: { files: [{ file: '/p.md', why: 'it is read-only' }], conflicts: [] } },
    commands: [`espalier resume ${RUN}`, report],
  },
  {
    name: 'the plan file of a run that is not over is written when it ends',
    tasks: [sampleTask('a', 'pending')],
    view: {
      status: 'waiting',
      resumable: true,
      unwritten: { files: [{ file: '/p.md', why: 'it is read-only' }], conflicts: [] },
    },
    commands: [report],
  },
  {
    name: 'flags to repeat, and a repository elsewhere',
    tasks: [failed('a', { history: withWork })],
    view: { ...over, repo: '/my shop' },
    known: { flags: " --repo '/my shop'" },
    commands: [
      `espalier logs a --run ${RUN} --repo '/my shop'`,
      `git -C '/my shop' show refs/espalier/${RUN}/failed/a/1`,
      `${retry} --repo '/my shop'`,
      `${report} --repo '/my shop'`,
    ],
  },
]

for (const { name, tasks = [], view, known, commands } of cases)
  test(`next steps: ${name}`, () => {
    const steps = nextSteps(sampleRun(tasks, { resumable: false, engine: null, ...view }), known)
    assert.deepEqual(
      steps.map(({ command }) => command),
      commands,
    )
    for (const { what } of steps) assert.match(what, /^\S.*[^.]$/)
  })

test('what continues a run is what does more of its work', () => {
  const stepOf = (view: Partial<RunView>, ...tasks: TaskView[]) =>
    stepToContinue(nextSteps(sampleRun(tasks, { resumable: false, engine: null, ...view })))?.kind
  assert.equal(stepOf({ status: 'cancelled', resumable: true }, failed('a')), 'resume')
  assert.equal(stepOf({ ...waiting, budgets: holding(ofRun) }), 'raise-budget')
  assert.equal(stepOf({ ...waiting, budgets: holding(ofEpic) }), 'replan')
  assert.equal(stepOf(waiting, sampleTask('a', 'conflict')), 'resolve')
  assert.equal(stepOf(over, failed('a')), 'retry')
  assert.equal(stepOf({ status: 'completed' }, sampleTask('a', 'landed')), undefined)
  assert.equal(stepOf({ engine: { pid: 1 }, resumable: true }, sampleTask('a', 'running')), undefined)
})
