import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UnitsSetAside } from '../../../src/scheduler/budgets/set-aside.ts'
import { buildGraph, dispatchOrder, type Unit } from '../../../src/scheduler/graph.ts'
import { planOf } from '../plan-rig.ts'

test('the first unit that so much money would do for is the one that looking at all of them finds', () => {
  const task = fc.record({ priority: fc.nat(2), estimateMs: fc.nat(4) })
  const step = fc.tuple(fc.constantFrom('add', 'remove', 'raise'), fc.nat(1000), fc.nat(6))
  fc.assert(
    fc.property(fc.array(task, { minLength: 1, maxLength: 20 }), fc.array(step, { maxLength: 60 }), (tasks, steps) => {
      const { units } = buildGraph(planOf(...tasks.map((one, n) => ({ id: `t${n}`, ...one }))))
      const aside = new UnitsSetAside()
      const amounts = new Map<Unit, number>()
      for (const [what, n, usd] of steps) {
        const unit = units[n % units.length] as Unit
        if (what === 'remove') {
          aside.remove(unit)
          amounts.delete(unit)
        } else if (what === 'add' || amounts.has(unit)) {
          aside.add(unit, usd)
          amounts.set(unit, usd)
        }
        assert.equal(aside.size, amounts.size)
        assert.deepEqual(new Set(aside.units()), new Set(amounts.keys()))
        for (let room = -1; room < 7; room++) {
          const enough = [...amounts].filter(([, needed]) => needed <= room).map(([one]) => one)
          assert.equal(aside.first(room), enough.sort(dispatchOrder)[0] ?? null)
        }
      }
    }),
  )
})
