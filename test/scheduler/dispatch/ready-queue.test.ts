import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conflicts } from '../../../src/scheduler/claims/overlap.ts'
import { ClaimTable } from '../../../src/scheduler/claims/table.ts'
import { ReadyQueue } from '../../../src/scheduler/dispatch/ready-queue.ts'
import { Workers } from '../../../src/scheduler/dispatch/workers.ts'
import { buildGraph, dispatchOrder, type Unit } from '../../../src/scheduler/graph.ts'
import { planOf } from '../plan-rig.ts'

const AGENTS = ['claude', 'codex', 'gemini']
const RESOURCES = { gpu: { count: 2 }, port: { count: 3 } }
const PATHS = ['a', 'a/x', 'b', '**', 'b/*', 'c']

/** What the queue must answer, found by looking at everything. */
function bestBySearch(
  ready: Unit[],
  held: Unit[],
  capped: Set<string>,
  isPaused: (unit: Unit) => boolean,
): Unit | null {
  const lacks = (unit: Unit) =>
    unit.requires.uses.some(([name, count]) => {
      const used = held.flatMap((other) => other.requires.uses.flatMap(([one, many]) => (one === name ? many : [])))
      return count > (RESOURCES[name as keyof typeof RESOURCES]?.count ?? 0) - used.reduce((sum, many) => sum + many, 0)
    })
  const candidates = ready.filter((unit) => !isPaused(unit) && !lacks(unit))
  const free = candidates.filter(
    (unit) => !held.some((other) => other.claims.some((x) => unit.claims.some((y) => conflicts(x, y)))),
  )
  const first = free.filter((unit) => !capped.has(unit.epic ?? ''))
  return (first.length > 0 ? first : free).sort(dispatchOrder)[0] ?? null
}

test('the queue finds the same unit as looking at all of them, whatever starts, ends and is withdrawn', () => {
  const task = fc.record({
    epic: fc.constantFrom('e', 'f'),
    priority: fc.nat(3),
    claims: fc.array(fc.constantFrom(...PATHS), { maxLength: 2 }),
    agents: fc.uniqueArray(fc.constantFrom(...AGENTS), { maxLength: 3 }),
    uses: fc.constantFrom({}, {}, { gpu: 1 }, { gpu: 2 }, { port: 2 }, { gpu: 1, port: 3 }),
  })
  const whats = fc.constantFrom('push', 'start', 'end', 'withdraw', 'again', 'pause', 'goOn')
  const step = fc.tuple(whats, fc.nat(1000))
  fc.assert(
    fc.property(fc.array(task, { minLength: 1, maxLength: 12 }), fc.array(step, { maxLength: 60 }), (tasks, steps) => {
      const { units } = buildGraph(planOf(...tasks.map(({ agents, ...one }, n) => ({ id: `t${n}`, ...one }))))
      const agentsOf = (unit: Unit) => tasks[unit.index]?.agents ?? []
      const paused = new Set<string>()
      const isPaused = (unit: Unit) => agentsOf(unit).length > 0 && agentsOf(unit).every((agent) => paused.has(agent))
      const claims = new ClaimTable()
      const workers = new Workers({ resources: RESOURCES }, { slots: tasks.length })
      const { local } = workers
      const taken = new Map<Unit, Record<string, number[]>>()
      const queue = new ReadyQueue(claims, workers)
      const capped = new Set(['e'])
      const ready: Unit[] = []
      const held: Unit[] = []
      const fresh = [...units]
      for (const [what, n] of steps) {
        if (what === 'push' && fresh.length > 0) {
          const unit = fresh.splice(n % fresh.length, 1)[0] as Unit
          ready.push(unit)
          queue.push(unit, unit.epic ?? '', agentsOf(unit))
        } else if (what === 'start') {
          const unit = queue.best((group) => capped.has(group))
          if (unit) {
            queue.withdraw(unit.index)
            ready.splice(ready.indexOf(unit), 1)
            claims.hold(unit.index, unit.claims)
            const numbers = local.resources.choose(unit.requires.uses)
            taken.set(unit, numbers)
            workers.occupy(local, unit.index + 1, unit.index, numbers)
            held.push(unit)
          }
        } else if (what === 'end' && held.length > 0) {
          const unit = held.splice(n % held.length, 1)[0] as Unit
          claims.release(unit.index)
          queue.released(unit.index)
          workers.vacate(local, unit.index + 1, unit.index, taken.get(unit) ?? {})
        } else if (what === 'withdraw' && ready.length > 0) {
          const unit = ready.splice(n % ready.length, 1)[0] as Unit
          queue.withdraw(unit.index)
          fresh.push(unit)
        } else if (what === 'pause') {
          const agent = AGENTS[n % AGENTS.length] as string
          paused.add(agent)
          queue.pause(agent)
        } else if (what === 'goOn') {
          const agent = AGENTS[n % AGENTS.length] as string
          paused.delete(agent)
          queue.goOn(agent)
        }
        assert.equal(
          queue.best((group) => capped.has(group)),
          bestBySearch(ready, held, capped, isPaused),
        )
        assert.equal(queue.size, ready.length)
      }
    }),
    { numRuns: 2000 },
  )
})
