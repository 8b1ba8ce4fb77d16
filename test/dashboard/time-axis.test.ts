import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { timeAxis } from '../../dashboard/src/views/timeline/time-axis.ts'

test('time goes from 0 to 100 and never backwards, cut or not', () => {
  const times = fc.array(fc.nat(10_000_000), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(times, fc.array(fc.nat(10_000_000), { maxLength: 20 }), (bounds, probes) => {
      const sorted = [...new Set(bounds)].sort((a, b) => a - b)
      const gaps = sorted.slice(1).flatMap((to, index) => (index % 2 === 0 ? [{ from: sorted[index]!, to }] : []))
      const axis = timeAxis(0, 10_000_000, gaps)
      assert.ok(Math.abs(axis.placeOf(0)) < 1e-6 && Math.abs(axis.placeOf(10_000_000) - 100) < 1e-6)
      const places = probes.sort((a, b) => a - b).map((time) => axis.placeOf(time))
      for (let at = 1; at < places.length; at++) assert.ok(places[at]! >= places[at - 1]! - 1e-6)
      assert.ok(axis.ticks.length <= 20)
    }),
  )
})

test('a night in which nothing ran takes a sliver of the plot', () => {
  const axis = timeAxis(0, 30_000_000, [{ from: 600_000, to: 29_400_000 }])
  assert.equal(axis.cuts.length, 1)
  assert.equal(axis.cuts[0]?.ms, 28_800_000)
  assert.ok(Math.abs(axis.placeOf(600_000) - 48) < 1e-6 && Math.abs(axis.placeOf(29_400_000) - 52) < 1e-6)
  assert.ok(axis.ticks.every((tick) => tick.left < 48.001 || tick.left > 51.999))
  assert.ok(axis.ticks.some((tick) => tick.left > 52))
})

test('short waits are not cut', () => {
  assert.deepEqual(timeAxis(0, 100_000, [{ from: 10_000, to: 60_000 }]).cuts, [])
})

test('a time in which nothing ran at all is not cut', () => {
  const { cuts, placeOf } = timeAxis(0, 10_000_000, [{ from: 0, to: 10_000_000 }])
  assert.deepEqual([cuts, placeOf(0), Math.round(placeOf(10_000_000))], [[], 0, 100])
})
