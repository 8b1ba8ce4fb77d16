import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Limits } from '../../src/event.ts'
import { comparePlan } from '../../src/scheduler/apply/replan.ts'
import { runSummary } from '../../src/scheduler/view.ts'
import type { Plan } from '../../src/task.ts'
import { NO_USAGE } from '../../src/usage.ts'
import { Core, LIMITS, planOf, type Sketch } from './plan-rig.ts'

function budget(usd: number | null, onReached: 'finish' | 'stop' = 'finish'): Partial<Limits> {
  return { budget: { usd, onReached } }
}

function spend(core: Core, task: string, costUsd: number): Core {
  return core.tell({ type: 'attempt.spent', task, attempt: core.view(task).attempts, costUsd })
}

/** It ends, having cost so much in all. */
function end(
  core: Core,
  task: string,
  costUsd: number | null,
  failure: 'agent-failed' | 'login-failed' | 'budget' | null = null,
): Core {
  return core.tell({
    type: 'attempt.finished',
    task,
    attempt: core.view(task).attempts,
    outcome: failure === null ? 'changed' : failure === 'budget' ? 'budget' : 'failed',
    commit: failure === null ? 'a'.repeat(39) + core.view(task).attempts : null,
    failure: failure && { reason: failure, message: 'no' },
    diff: null,
    usage: costUsd === null ? null : { ...NO_USAGE, costUsd },
    summary: null,
  })
}

function resume(core: Core, limits: Partial<Limits>): Core {
  return core.tell({ type: 'run.resumed', limits: { ...LIMITS, ...limits } })
}

function budgetsOf(core: Core) {
  const { budgets } = runSummary(core.state, { run: 'test-1', name: 'test', repo: '/', enginePid: 1 })
  assert.ok(budgets)
  return budgets
}

/** `80 run`, `100 epic api` */
function told(core: Core): string[] {
  return core.decisions.flatMap((one) =>
    one.type === 'budget.reached' ? [`${one.share} ${one.scope} ${one.name}`] : [],
  )
}

function stops(core: Core): string[] {
  return core.decisions.flatMap((one) => (one.type === 'attempt.stopping' ? [`${one.task} ${one.reason}`] : []))
}

function withEpics(plan: Plan, budgets: Record<string, number>): Plan {
  return { ...plan, epics: plan.epics.map((epic) => ({ ...epic, budgetUsd: budgets[epic.id] })) }
}

function four(more: Partial<Sketch> = {}): Plan {
  return planOf(...['a', 'b', 'c', 'd'].map((id) => ({ id, ...more })))
}

suite('the budget of a run', () => {
  test('what runs may finish within what was expected of it, and no further', () => {
    // Attempts cost 2 on average when it is used up, and c has spent 0.5: 1.5 more is what it may need.
    const core = new Core(four({ timeoutMs: 10_000 }), { ...budget(4), slots: 2 })
    end(core, 'a', 2)
    spend(core, 'c', 0.5)
    end(core, 'b', 2)
    assert.deepEqual([told(core).at(-1), core.running], ['100 run run', ['c']])
    spend(core, 'c', 1.9)
    assert.deepEqual(stops(core), [])
    spend(core, 'c', 2)
    assert.deepEqual(stops(core), ['c budget'])
    end(core, 'c', 2.1, 'budget')
    assert.deepEqual([core.state.finished, core.view('c').status], ['waiting', 'ready'])
  })

  test('of those that run an estimate counts; where nothing is known, a quarter of the budget for all of them', () => {
    const core = new Core(four({ estimateUsd: 3 }), budget(20))
    spend(core, 'b', 1)
    spend(core, 'a', 19)
    spend(core, 'b', 2.9)
    assert.deepEqual([told(core).at(-1), stops(core)], ['100 run run', []])
    spend(core, 'b', 3)
    assert.deepEqual(stops(core), ['a budget', 'b budget'])
    const unknown = new Core(four(), budget(2))
    spend(unknown, 'a', 1)
    spend(unknown, 'b', 1)
    spend(unknown, 'b', 1.4)
    assert.deepEqual(stops(unknown), [])
    spend(unknown, 'b', 1.5)
    assert.deepEqual(stops(unknown), ['a budget', 'b budget'])
  })

  test('is told of at 80 and at 100 %, once, and then nothing starts', () => {
    const core = new Core(four(), budget(10))
    end(core, 'a', 8)
    assert.deepEqual(told(core), ['80 run run'])
    spend(core, 'b', 1)
    spend(core, 'b', 1.5)
    assert.deepEqual(told(core), ['80 run run'])
    assert.deepEqual(core.running, ['b', 'c'])
    end(core, 'b', 2)
    assert.deepEqual(told(core), ['80 run run', '100 run run'])
    assert.deepEqual(core.running, ['c'], 'what runs goes on, and d does not start')
    end(core, 'c', 1)
    assert.equal(core.state.finished, 'waiting')
    assert.deepEqual(core.statuses(), { a: 'landed', b: 'landed', c: 'landed', d: 'ready' })
    assert.deepEqual(budgetsOf(core).holding, [{ scope: 'run', name: 'run', budgetUsd: 10, spentUsd: 11 }])
    assert.deepEqual(told(core), ['80 run run', '100 run run'])
  })

  test('a step over both shares at once is told of once', () => {
    assert.deepEqual(told(end(new Core(four(), budget(1)), 'a', 3)), ['100 run run'])
  })

  test('goes on after a resume with a larger one, which is told of anew', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }), budget(1))
    end(core, 'a', 1)
    assert.equal(core.state.finished, 'waiting')
    resume(core, budget(1))
    assert.equal(core.state.finished, 'waiting', 'the same again is no help')
    assert.deepEqual(told(core), ['100 run run'])
    resume(core, budget(1.2))
    assert.deepEqual(core.running, ['b'])
    assert.deepEqual(told(core), ['100 run run', '80 run run'])
    end(core, 'b', 0.2)
    assert.equal(core.state.finished, 'completed')
    assert.deepEqual(told(core), ['100 run run', '80 run run', '100 run run'])
  })

  test('what was told while it ran is replaced by what it used in all', () => {
    const core = new Core(four(), budget(10))
    spend(core, 'a', 3)
    spend(core, 'b', 2)
    assert.equal(budgetsOf(core).spentUsd, 5)
    end(core, 'a', 3.5)
    assert.equal(budgetsOf(core).spentUsd, 5.5)
    end(core, 'b', null)
    assert.equal(budgetsOf(core).spentUsd, 5.5, 'one that says nothing has used what it had told')
    assert.equal(core.state.usage.costUsd, 5.5)
    assert.deepEqual(core.view('b').history[0]?.usage, { ...NO_USAGE, costUsd: 2 })
  })

  test('lets what runs go on, or ends it without using up a try', () => {
    const plan = four({ retries: 0 })
    assert.deepEqual(stops(spend(new Core(plan, budget(2)), 'a', 2)), [])
    const core = spend(new Core(plan, budget(2, 'stop')), 'a', 2)
    assert.deepEqual(stops(core), ['a budget', 'b budget'])
    end(core, 'a', 2, 'budget')
    end(core, 'b', 0.5, 'budget')
    assert.equal(core.state.finished, 'waiting')
    assert.deepEqual(core.statuses(), { a: 'ready', b: 'ready', c: 'ready', d: 'ready' })
    resume(core, budget(9, 'stop'))
    assert.deepEqual(core.running, ['a', 'b'])
    assert.equal(core.view('a').attempts, 2)
  })

  test('an attempt whose agent has ended is not ended: its checks cost nothing', () => {
    const core = new Core(four(), budget(2, 'stop'))
    core.tell({ type: 'attempt.spent', task: 'a', attempt: 1, costUsd: 2, ended: true })
    assert.deepEqual(stops(core), ['b budget'])
    core.tell({ type: 'attempt.stirred', task: 'b', attempt: 1 })
    assert.deepEqual(stops(core), ['b budget'], 'its agent had ended before it was told to')
    core.wait(120_000)
    assert.deepEqual(stops(core), ['b budget', 'a timeout', 'b timeout'], 'but its time is limited again')
  })

  test('one that waits for its next try waits for money instead', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }), budget(1))
    end(core, 'a', 1, 'agent-failed')
    assert.equal(core.state.finished, 'waiting')
    resume(core, budget(2))
    core.wait(600_000)
    assert.deepEqual(core.running, ['a'])
  })

  test('an agent that says it used up its money is tried again only with more', () => {
    const core = new Core(planOf({ id: 'a', retries: 0 }), budget(1, 'stop'))
    end(core, 'a', 1, 'budget')
    assert.equal(core.state.finished, 'waiting')
    const other = new Core(planOf({ id: 'a', retries: 0 }), budget(9))
    end(other, 'a', 1, 'budget')
    assert.equal(other.view('a').status, 'failed', 'that was a limit of its own')
  })
})

suite('estimates', () => {
  test('nothing starts that would certainly be too much, and what is cheap enough overtakes it', () => {
    const core = new Core(
      planOf({ id: 'a', estimateUsd: 6 }, { id: 'b', estimateUsd: 5 }, { id: 'c', estimateUsd: 3 }, { id: 'd' }),
      { ...budget(10), slots: 4 },
    )
    assert.deepEqual(core.running, ['a', 'c', 'd'], 'b does not fit while a is expected to cost 6')
    spend(core, 'a', 4)
    assert.deepEqual(core.running, ['a', 'c', 'd'], 'of the 6 it has only spent a part')
    end(core, 'a', 1)
    assert.deepEqual(core.running, ['b', 'c', 'd'])
  })

  test('those that come back keep their order', () => {
    const dear = ['b', 'c', 'd'].map((id) => ({ id, estimateUsd: 4 }))
    const core = new Core(planOf({ id: 'a', estimateUsd: 9 }, ...dear), { ...budget(10), slots: 4 })
    assert.deepEqual(core.running, ['a'])
    end(core, 'a', 1)
    assert.deepEqual(core.running, ['b', 'c'])
  })

  test('a run in which nothing else is left waits for more', () => {
    const core = new Core(planOf({ id: 'a', estimateUsd: 6 }), budget(5))
    assert.equal(core.state.finished, 'waiting')
    assert.deepEqual(told(core), [])
    assert.deepEqual(resume(core, budget(null)).running, ['a'])
  })
})

test('what there is no money for does not wait for its agent either', () => {
  const work = { kind: 'prompt', prompt: 'do it', agent: 'claude', model: null } as const
  const core = new Core(
    planOf({ id: 'a', work }, { id: 'b', work, budgetUsd: 1, estimateUsd: 2, needs: ['c'] }, { id: 'c' }),
  )
  end(core, 'a', 1, 'login-failed')
  core.tell({ type: 'task.cancelled', task: 'a', request: null })
  assert.deepEqual(core.running, ['c'], 'the agent is paused')
  end(core, 'c', null)
  assert.deepEqual(core.statuses(), { a: 'cancelled', b: 'ready', c: 'landed' })
  assert.equal(core.state.finished, 'waiting', 'the end of the pause would change nothing')
})

suite('the budget of an epic', () => {
  const plan = planOf({ id: 'a', epic: 'x' }, { id: 'b', epic: 'x' }, { id: 'c', epic: 'y' }, { id: 'd', epic: 'x' })

  test('holds only its own tasks back', () => {
    const core = new Core(withEpics(plan, { x: 2 }), { slots: 1 })
    end(core, 'a', 2)
    assert.deepEqual(told(core), ['100 epic x'])
    assert.deepEqual(core.running, ['c'])
    end(core, 'c', 50)
    assert.equal(core.state.finished, 'waiting')
    assert.deepEqual(core.statuses(), { a: 'landed', b: 'ready', c: 'landed', d: 'ready' })
    assert.deepEqual(budgetsOf(core).holding, [{ scope: 'epic', name: 'x', budgetUsd: 2, spentUsd: 2 }])
  })

  test('can be raised by a changed plan', () => {
    const core = end(new Core(withEpics(plan, { x: 2 }), { slots: 1 }), 'a', 2)
    end(core, 'c', 0)
    const { plan: next, difference } = comparePlan(core.state, withEpics(plan, { x: 9 }))
    assert.deepEqual(difference.budgets, ['x'])
    core.tell({ type: 'run.replanned', plan: next })
    resume(core, { slots: 1 })
    assert.deepEqual(core.running, ['b'])
    assert.deepEqual(budgetsOf(core).reached, [], 'of 9 only 2 are spent')
  })

  test('an epic that is half done keeps its slot, and others run as if it had none', () => {
    const shared = planOf(
      { id: 'a', epic: 'x', isolation: 'epic' },
      { id: 'b', epic: 'x', isolation: 'epic' },
      { id: 'c' },
      { id: 'd' },
    )
    const core = new Core(withEpics(shared, { x: 1 }), { slots: 1 })
    end(core, 'a', 1)
    assert.deepEqual(core.running, ['c'])
    end(core, 'c', 1)
    end(core, 'd', 1)
    assert.equal(core.state.finished, 'waiting')
    assert.deepEqual(core.statuses(), { a: 'landing', b: 'ready', c: 'landed', d: 'landed' })
  })
})

suite('the budget of a task', () => {
  test('ends it, whatever the run is set to, and it is not tried again', () => {
    const core = new Core(planOf({ id: 'a', budgetUsd: 1, retries: 3 }, { id: 'b' }))
    spend(core, 'a', 1.2)
    assert.deepEqual(told(core), ['100 task a'])
    assert.deepEqual(stops(core), ['a budget'])
    end(core, 'a', 1.2, 'budget')
    end(core, 'b', 5)
    assert.equal(core.state.finished, 'failed')
    assert.equal(core.view('a').status, 'failed')
    assert.equal(core.view('a').failure?.reason, 'budget')
  })

  test('counts all of its attempts', () => {
    const core = new Core(planOf({ id: 'a', budgetUsd: 3, retries: 9 }))
    end(core, 'a', 2, 'agent-failed')
    core.wait(600_000)
    assert.equal(core.view('a').attempts, 2)
    end(core, 'a', 1, 'agent-failed')
    assert.equal(core.view('a').status, 'failed')
    assert.match(core.view('a').failure?.message ?? '', /no room for another try/)
  })

  test('can be raised while the task runs', () => {
    const plan = planOf({ id: 'a', budgetUsd: 1 })
    const core = spend(new Core(plan), 'a', 0.9)
    const { plan: next, difference } = comparePlan(core.state, planOf({ id: 'a', budgetUsd: 5 }))
    assert.deepEqual(difference, { added: [], changed: ['a'], removed: [], tooLate: [] })
    core.tell({ type: 'run.replanned', plan: next })
    assert.deepEqual(stops(spend(core, 'a', 2)), [])
  })
})

test('those that are held back cost nothing, however many they are', () => {
  const tasks = Array.from({ length: 5_000 }, (_, n) => ({
    id: `t${n}`,
    claims: [`src/${n}.ts`],
    estimateUsd: 2 + n / 5_000,
  }))
  const core = new Core(
    planOf({ id: 'first', estimateUsd: 9, priority: 9 }, { id: 'small', estimateUsd: 1 }, ...tasks),
    {
      ...budget(10),
      slots: 8,
    },
  )
  assert.deepEqual(core.running, ['first', 'small'])
  const [setAside] = core.state.ledger.setAside.values()
  assert.equal(setAside?.size, tasks.length)
  const before = [...setAside.units()]
  for (let told = 1; told < 9; told++) spend(core, 'first', told)
  assert.deepEqual([...setAside.units()], before, 'nobody has been looked at again')
  assert.equal(core.state.ready.size, 0)
})
