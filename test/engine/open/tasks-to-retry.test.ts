// What `retry` tries again where other runs have done some of it since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasksToReopen } from '../../../src/engine/open/tasks-to-retry.ts'
import { Core, planOf, type Sketch } from '../../scheduler/plan-rig.ts'

/** A run whose first task has failed: `a`, and what needs it. */
function failed(...others: Sketch[]): Core {
  return new Core(planOf({ id: 'a' }, ...others)).fail('a')
}

function answer(
  core: Core,
  wanted: Parameters<typeof tasksToReopen>[1]['wanted'],
  landed: string[],
): string[] | string {
  const since = new Map(landed.map((task) => [task, 'shop-2']))
  const result = tasksToReopen(core.state, { run: 'shop-1', wanted, since, mayBeNone: false })
  return result.ok ? result.value : (result.problems[0]?.message ?? '')
}

/** The tasks of the first `espalier retry … --run shop-1` in a message. */
function offered(message: string | string[]): string[] {
  const [, tasks] = String(message).match(/`espalier retry (.+?) --run shop-1`/) ?? []
  assert.ok(tasks, String(message))
  return tasks.split(' ')
}

test('what a named task blocks is not done again where another run has landed it, unless it is named as well', () => {
  const core = failed({ id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] })
  assert.deepEqual(answer(core, ['a'], ['a', 'b']), ['a', 'c'])
  assert.deepEqual(answer(core, ['a', 'b'], ['a', 'b']), ['a', 'b', 'c'])
})

test('what is offered where nothing can start names all that has to be done for it', () => {
  const core = failed({ id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] })
  const stuck = offered(answer(core, 'all', ['a', 'b']))
  assert.deepEqual(stuck, ['a', 'b'])
  assert.deepEqual(answer(core, stuck, ['a', 'b']), ['a', 'b', 'c'])
})

test('a named task that needs others which did not succeed is refused with all of them named', () => {
  const core = failed({ id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] })
  const message = answer(core, ['c'], ['a', 'b'])
  assert.match(String(message), /^c needs b, which did not succeed either/)
  assert.deepEqual(offered(message), ['a', 'b', 'c'])
  assert.deepEqual(answer(core, offered(message), ['a', 'b']), ['a', 'b', 'c'])
})

test('a long chain of needs is not listed', () => {
  const ids = Array.from({ length: 40 }, (_, n) => `t${n}`)
  const core = failed(...ids.map((id, n) => ({ id, needs: [n === 0 ? 'a' : `t${n - 1}`] })))
  assert.equal(
    answer(core, ['t39'], []),
    't39 needs t38, which did not succeed either: `espalier retry TASK… --run shop-1` with the names of all 41 tries them together',
  )
})

test('a shared epic that is needed is named as a whole', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const core = failed({ id: 'b', ...shared, needs: ['a'] }, { id: 'c', ...shared }, { id: 'd', needs: ['b'] })
  const named = offered(answer(core, ['d'], ['a', 'b']))
  assert.deepEqual(named, ['a', 'b', 'c', 'd'])
  assert.deepEqual(answer(core, named, ['a', 'b']), named)
})
