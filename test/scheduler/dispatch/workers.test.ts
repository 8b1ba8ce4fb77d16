import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LIMITS as BOUNDS } from '../../../src/config.ts'
import type { Fact } from '../../../src/event.ts'
import { nextWake } from '../../../src/scheduler/decide.ts'
import { NO_ROOM, PlaceTree } from '../../../src/scheduler/dispatch/worker-score-tree.ts'
import { runSummary } from '../../../src/scheduler/view.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { Core, planOf } from '../plan-rig.ts'

const FACTS = { run: 'test-1', name: 'test', repo: '/', enginePid: 1 }

function joined(worker: string, slots = 1, labels: string[] = [], resources = {}): Fact {
  return { type: 'worker.joined', worker, slots, labels, resources }
}

function lost(worker: string): Fact {
  return { type: 'worker.lost', worker, why: 'no heartbeat for 12 s' }
}

function placeOf(core: Core, task: string): string {
  const { worker, slot } = core.view(task).history.at(-1) ?? {}
  return `${worker} ${slot}`
}

describe('where a task is executed', () => {
  test('on the machine with the smallest share of its slots taken, the own one first', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }), { slots: 1 })
    core.tell(joined('big', 2)).tell(joined('small', 1))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => placeOf(core, id)),
      ['local 1', 'big 1', 'big 2', 'small 1'],
    )
    assert.equal(core.view('e').status, 'ready')
    assert.equal(runSummary(core.state, FACTS).slots, 4)
    core.succeed('c')
    assert.equal(placeOf(core, 'e'), 'big 2')
  })

  test('only where it finds the labels and resources it asks for', () => {
    const plan = planOf({ id: 'any' }, { id: 'gpu', labels: ['gpu'] }, { id: 'cards', uses: { card: 2 } })
    const core = new Core({ ...plan, resources: { card: { count: 2 } } }, { slots: 0 })
    core.tell(joined('plain', 2))
    assert.deepEqual(core.running, ['any'])
    core.tell(joined('labelled', 1, ['arm', 'gpu'], { card: 1 }))
    assert.equal(placeOf(core, 'gpu'), 'labelled 1')
    core.tell(joined('cards', 1, [], { card: 4 }))
    assert.equal(placeOf(core, 'cards'), 'cards 1')
    assert.deepEqual(core.view('cards').history[0]?.resources, { card: [0, 1] })
  })

  test('a worker that drains finishes what it has and gets nothing more', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }), { slots: 0 }).tell(joined('one', 1))
    core.tell(joined('one', 0)).succeed('a')
    assert.deepEqual(core.statuses(), { a: 'landed', b: 'ready' })
    core.tell(joined('one', 1))
    assert.deepEqual(core.running, ['b'])
  })
})

describe('an epic that is half done', () => {
  const shared = (id: string) => ({ id, epic: 'e', isolation: 'epic' as const, labels: ['arm'] })
  const half = () => new Core(planOf(shared('a'), shared('b')), { slots: 0 }).tell(joined('one', 1, ['arm']))

  test('leaves a worker that drains', () => {
    const core = half()
      .tell(joined('one', 0, ['arm']))
      .tell(joined('two', 1, ['arm']))
      .succeed('a')
    assert.equal(placeOf(core, 'b'), 'two 1')
  })

  test('leaves a worker that comes back without its labels', () => {
    const core = half().tell(joined('one')).succeed('a')
    assert.equal(core.view('b').status, 'ready')
    core.tell(joined('two', 1, ['arm']))
    assert.equal(placeOf(core, 'b'), 'two 1')
  })

  test('leaves a worker that drained between two of its tasks', () => {
    const plan = planOf(shared('a'), { ...shared('b'), retries: 1 })
    const core = new Core(plan, { slots: 0 })
      .tell(joined('one', 1, ['arm']))
      .succeed('a')
      .fail('b')
    core
      .tell(joined('one', 0, ['arm']))
      .tell(joined('two', 1, ['arm']))
      .wait(60_000)
    assert.equal(placeOf(core, 'b'), 'two 1')
  })
})

describe('a worker that is lost', () => {
  test('its tasks start elsewhere, at no cost of a try', () => {
    const core = new Core(planOf({ id: 'a', retries: 0 }, { id: 'b' }), { slots: 0 })
    core.tell(joined('one', 2)).tell(lost('one'))
    assert.deepEqual(core.statuses(), { a: 'ready', b: 'ready' })
    const [first] = core.view('a').history
    assert.equal(first?.failure?.reason, 'worker-lost')
    assert.match(first?.failure?.message ?? '', /its worker one was lost: no heartbeat/)
    core.tell(joined('two', 2))
    assert.equal(placeOf(core, 'a'), 'two 1')
    core.succeed('a').succeed('b')
    assert.equal(core.state.finished, 'completed')
  })

  test('an epic keeps its worker, and goes on elsewhere with all it did where that is lost', () => {
    const shared = (id: string) => ({ id, epic: 'e', isolation: 'epic' as const, claims: ['src/**'] })
    const other = { id: 'other', claims: ['src/x.ts'] }
    const core = new Core(planOf(shared('a'), shared('b'), shared('c'), other), { slots: 0 })
    core.tell(joined('one')).tell(joined('two')).succeed('a')
    assert.equal(placeOf(core, 'b'), 'one 1')
    const head = core.view('a').history[0]?.commit
    core.tell(lost('one'))
    assert.equal(placeOf(core, 'b'), 'two 1')
    assert.equal(core.view('b').history.at(-1)?.base, head)
    assert.equal(core.view('other').status, 'ready')
    core.succeed('b').tell(lost('two'))
    assert.equal(core.view('other').status, 'ready', 'what is half done keeps its claims')
    core.tell(joined('three'))
    assert.equal(placeOf(core, 'c'), 'three 1')
    core.succeed('c').succeed('other')
    assert.equal(core.state.finished, 'completed')
  })

  test('what it tells later is refused, and its money counts once', () => {
    const plan = planOf({ id: 'a', work: { kind: 'prompt', prompt: 'x', agent: 'claude', model: null } })
    const core = new Core(plan, { slots: 0, budget: { usd: 10, onReached: 'finish' } })
    core.tell(joined('one'))
    core.tell({ type: 'attempt.spent', task: 'a', attempt: 1, costUsd: 2 }).tell(lost('one'))
    assert.equal(core.state.usage.costUsd, 2)
    const late: Fact = { type: 'attempt.late', task: 'a', attempt: 1, usage: { ...NO_USAGE, costUsd: 3 }, request: 4 }
    core.tell(late).tell(late)
    assert.equal(core.state.usage.costUsd, 3)
    assert.equal(core.view('a').status, 'ready')
    assert.equal(core.state.lastRequest, 4)
    core
      .tell(joined('two'))
      .succeed('a')
      .tell({ ...late, attempt: 2 })
    assert.equal(core.state.usage.costUsd, 3)
  })

  test('of a cancelled run nothing starts again', () => {
    const core = new Core(planOf({ id: 'a' }), { slots: 0 }).tell(joined('one'))
    core.tell({ type: 'run.cancelled', request: null }).tell(lost('one'))
    assert.deepEqual([core.view('a').status, core.state.finished], ['cancelled', 'cancelled'])
  })
})

test('a run waits for a worker that has what its tasks ask for, and then for a person', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'gpu', labels: ['gpu'] }), { slots: 1 })
  core.succeed('a')
  assert.equal(core.state.finished, null)
  assert.deepEqual(runSummary(core.state, FACTS).unplaced, [{ labels: ['gpu'], uses: {}, tasks: 1 }])
  assert.equal(nextWake(core.state), core.now + BOUNDS.workerWaitMs)
  core.wait(BOUNDS.workerWaitMs)
  assert.equal(core.state.finished, 'waiting')
  core.tell({ type: 'run.resumed', limits: core.state.limits }).tell(joined('one', 1, ['gpu']))
  assert.deepEqual(core.running, ['gpu'])
})

test('the tree of places names the first of the best', () => {
  const step = fc.tuple(fc.nat(40), fc.constantFrom(0, 0.25, 0.5, NO_ROOM))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const tree = new PlaceTree()
      const scores: number[] = []
      for (const [index, score] of steps) {
        tree.set(index, score)
        scores[index] = score
        const least = Math.min(...Array.from(scores, (one) => one ?? NO_ROOM))
        assert.equal(tree.best(), least === NO_ROOM ? null : scores.indexOf(least))
      }
    }),
  )
})
