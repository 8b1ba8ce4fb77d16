import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf, type ReportInput } from '../../../src/reports/facts/run.ts'
import { summaryOf } from '../../../src/reports/summary.ts'
import { attemptOf, planOf, runningInput, START, sampleInput, taskOf, viewOf } from '../sample.ts'

const HOUR = 3_600_000

test('the figures of the sample run are right', () => {
  const facts = factsOf(sampleInput())
  assert.equal(facts.verdict.title, '11 of 15 tasks succeeded')
  assert.equal(
    facts.verdict.detail,
    '10 landed on espalier/checkout-7k3f, 1 passed without landing, 1 failed, 3 blocked',
  )
  assert.equal(facts.wallMs, 1_772_000)
  assert.equal(facts.workMs, 2_926_000)
  assert.equal(facts.speedUp, 2_926 / 1_772)
  assert.equal(facts.attempts, 15)
  assert.deepEqual(facts.retries, { count: 3, tasks: ['sessions', 'orders', 'payments'] })
  // sessions #1 (301 s), orders #1 (69 s), both attempts of payments (318 s and 264 s)
  assert.equal(facts.lost.attempts, 4)
  assert.equal(facts.lost.ms, 952_000)
  assert.deepEqual(facts.landedDiff, { files: 75, insertions: 3_619, deletions: 378 })
  assert.equal(facts.landings, 10)
  assert.equal(facts.quietMs, 22_000)
})

const figuresOf = (input: ReportInput) => new Map(summaryOf(input).figures.map(([label, ...figure]) => [label, figure]))

test('a figure says what was wasted and how much of it was retried, another what the run is compared with', () => {
  const input = sampleInput()
  const figures = figuresOf(input)
  assert.deepEqual(figures.get('Wasted attempts'), ['4', '15m 52s and $3.53 for work that was not used'])
  assert.deepEqual(figures.get('Fastest possible'), [
    '28m 40s',
    'critical path of 7 tasks (estimate: 28m 00s); the run took 1.03 × as long',
  ])
  assert.equal(figures.get('Landed changes')?.[1], '75 file changes in 10 landings')
})

test('the longest chain goes through needs and after, by measured time', () => {
  const { measured, planned } = factsOf(sampleInput())
  assert.equal(measured.criticalPath.ms, (185 + 301 + 221 + 69 + 284 + 318 + 264 + 78) * 1_000)
  assert.deepEqual(measured.criticalPath.tasks.slice(0, 4), ['schema', 'sessions', 'orders', 'payments'])
  assert.equal(measured.criticalPath.tasks.at(-1), 'changelog')
  assert.equal(planned?.lowerBoundMs, 1_680_000)
})

test('with few slots the lower bound is the work spread over them', () => {
  const ids = ['a', 'b', 'c', 'd']
  const tasks = ids.map((id) => taskOf({ id, history: [{ finishedAt: START + 10_000 }] }))
  const view = viewOf(tasks, { slots: 2, durationMs: 20_000, finishedAt: START + 20_000 })
  const facts = factsOf({ view, plan: planOf(ids.map((id) => ({ id }))), logTails: {}, generatedAt: START })
  assert.equal(facts.measured.lowerBoundMs, 20_000)
  assert.equal(facts.utilisation, 1)
})

test('tasks that their claims let run only one after the other are a lower bound, too', () => {
  const given = ['a', 'b', 'c'].map((id) => ({ id, history: [{ finishedAt: START + 10_000 }] }))
  const view = viewOf(given.map(taskOf), { slots: 3, durationMs: 20_000, finishedAt: START + 20_000 })
  const plan = planOf(given)
  for (const task of plan.tasks.slice(0, 2)) task.claims = { write: ['src/db.ts'], read: [] }
  const input = { view, plan, logTails: {}, generatedAt: START }
  const facts = factsOf(input)
  assert.equal(facts.measured.lowerBoundMs, 20_000)
  assert.equal(facts.measured.busiestClaim?.pattern, 'src/db.ts')
  const note = figuresOf(input).get('Fastest possible')?.[1]
  assert.equal(note, '2 tasks one after the other, by their claims; the run took 1.00 × as long')
})

test('estimates nobody made are not reported as a plan', () => {
  const input = sampleInput()
  assert.equal(factsOf({ ...input, plan: planOf([]) }).planned, null)
})

test('what was held up is listed under what failed, and the next steps are commands', () => {
  const facts = factsOf(sampleInput())
  assert.deepEqual(
    facts.failures.map(({ task, blocks }) => ({ task, blocks })),
    [{ task: 'payments', blocks: ['checkout-page', 'receipts', 'e2e'] }],
  )
  assert.deepEqual(
    facts.next.map((step) => step.command),
    [
      'espalier logs payments --run checkout-7k3f',
      'git show refs/espalier/checkout-7k3f/failed/payments/2',
      'espalier retry --run checkout-7k3f',
      'espalier land checkout-7k3f',
    ],
  )
})

test('trying again is offered as `status` offers it: where something is left for it and the run is over', () => {
  const offers = (view: Parameters<typeof factsOf>[0]['view'], landedSince = new Map<string, string>()) =>
    factsOf({ view, plan: planOf([]), logTails: {}, generatedAt: START, landedSince }).next.some(({ command }) =>
      command.startsWith('espalier retry'),
    )
  const cancelled = [taskOf({ id: 'a', status: 'landed' }), taskOf({ id: 'b', status: 'cancelled' })]
  assert.ok(offers(viewOf(cancelled, { status: 'cancelled' })))
  assert.ok(!offers(viewOf(cancelled, { status: 'cancelled' }), new Map([['b', 'checkout-8']])), 'another run did it')
  assert.ok(!offers(viewOf(cancelled, { status: 'cancelled', resumable: true })), 'it goes on first')
  assert.ok(!offers(viewOf([taskOf({ id: 'a', status: 'landed' })])))
})

test('the log of work that did not merge says nothing of that, so it is not offered', () => {
  const failure = { reason: 'conflict', message: 'in db.sql' } as const
  const view = viewOf([taskOf({ id: 'a', status: 'failed', failure })])
  const { next } = factsOf({ view, plan: planOf([]), logTails: {}, generatedAt: START })
  assert.ok(!next.some(({ command }) => command.startsWith('espalier logs')))
})

test('a blocked task leads back to its cause also without a recorded one, and a circle of causes ends', () => {
  const tasks = [
    taskOf({ id: 'a', status: 'failed' }),
    taskOf({ id: 'b', status: 'blocked', needs: ['a'] }),
    taskOf({ id: 'c', status: 'blocked', needs: ['b'] }),
    taskOf({ id: 'x', status: 'blocked', failure: { reason: 'need-failed', message: '', cause: 'y' } }),
    taskOf({ id: 'y', status: 'blocked', failure: { reason: 'need-failed', message: '', cause: 'x' } }),
  ]
  const facts = factsOf({ view: viewOf(tasks), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.deepEqual(
    facts.failures.map(({ task, blocks }) => [task, ...blocks]),
    [['a', 'b', 'c']],
  )
})

test('a running attempt counts up to now, and nobody is told to land or resume yet', () => {
  const facts = factsOf(runningInput())
  assert.equal(facts.verdict.kind, 'running')
  assert.equal(facts.endAt, START + 1_250_000)
  assert.equal(facts.workMs, 2_275_000)
  assert.deepEqual(
    facts.next.map((step) => step.command),
    ['espalier status checkout-7k3f --watch'],
  )
})

test('a run that lies interrupted ends with the last thing known of it and is told to resume', () => {
  const input = runningInput()
  const tasks = input.view.tasks.map((task) => ({ ...task, history: task.history.filter((one) => one.finishedAt) }))
  const view = { ...input.view, engine: null, resumable: true, tasks, durationMs: 9 * HOUR }
  const facts = factsOf({ ...input, view, generatedAt: START + 9 * HOUR })
  assert.equal(facts.verdict.kind, 'interrupted')
  assert.equal(facts.endAt, START + 1_101_000)
  assert.ok(facts.next.some((step) => step.command === 'espalier resume checkout-7k3f'))
})

test('a run that waits for a person says so, and what to type', () => {
  const input = runningInput()
  const tasks = input.view.tasks.map((task, index) => (index === 0 ? { ...task, status: 'conflict' as const } : task))
  const view = { ...input.view, status: 'waiting' as const, engine: null, resumable: true, tasks }
  const { verdict, next } = factsOf({ ...input, view })
  assert.equal(verdict.kind, 'waiting')
  const commands = next.map((step) => step.command)
  assert.equal(commands[0], `espalier resolve ${tasks[0]?.id} --run checkout-7k3f`)
  assert.ok(!commands.some((command) => command.startsWith('espalier resume')))
})

test('a run that was resumed the next morning is judged by the time in which it worked', () => {
  const tasks = [
    taskOf({ id: 'a', history: [{ finishedAt: START + 60_000 }] }),
    taskOf({ id: 'b', history: [{ startedAt: START + 9 * HOUR, finishedAt: START + 9 * HOUR + 60_000 }] }),
  ]
  const end = 9 * HOUR + 60_000
  const view = viewOf(tasks, { slots: 1, finishedAt: START + end, durationMs: end })
  const input = { view, plan: planOf([]), logTails: {}, generatedAt: START + end }
  const facts = factsOf(input)
  assert.equal(facts.quietMs, 9 * HOUR - 60_000)
  const figures = figuresOf(input)
  assert.equal(figures.get('Duration')?.[1], 'no task ran for 8h 59m of it')
  assert.equal(figures.get('Speed-up')?.[0], '1.00 ×')
})

test('the time before a run was resumed is no time of it', () => {
  const tasks = [
    taskOf({ id: 'a', history: [{ finishedAt: START + 3_000 }] }),
    taskOf({ id: 'b', history: [{ startedAt: START + 268_000, finishedAt: START + 270_000 }] }),
  ]
  const view = viewOf(tasks, { slots: 1, finishedAt: START + 270_000, idleMs: 265_000 })
  const input = { view, plan: planOf([]), logTails: {}, generatedAt: START + HOUR }
  const facts = factsOf(input)
  assert.deepEqual([facts.wallMs, facts.quietMs, facts.speedUp], [5_000, 0, 1])
  const figures = figuresOf(input)
  assert.equal(figures.get('Duration')?.[1], 'not counting 4m 25s in which it was not running')
})

test('a clock that went backwards makes no negative times', () => {
  const tasks = [taskOf({ id: 'a', history: [attemptOf({ startedAt: START, finishedAt: START - 5_000 })] })]
  const facts = factsOf({ view: viewOf(tasks), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.equal(facts.workMs, 0)
  assert.ok(facts.wallMs >= 0 && facts.quietMs >= 0)
})
