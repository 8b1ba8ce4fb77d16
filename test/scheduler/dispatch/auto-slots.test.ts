import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { autoSlots, type MachineFacts } from '../../../src/scheduler/dispatch/auto-slots.ts'

const GB = 2 ** 30
const CALM: MachineFacts = { cpus: 4, busy: 0.3, load: 1, freeMemory: 0.6, freeDiskBytes: 100 * GB }
const BUSY = { slots: 4, running: 4, ready: 10, most: 8 }

test('one more while something waits and there is room; none beyond the most', () => {
  assert.deepEqual(autoSlots(BUSY, CALM), { slots: 5, why: '10 wait, and the processors are 30% busy' })
  assert.equal(autoSlots({ ...BUSY, slots: 8, running: 8 }, CALM), null)
  assert.equal(autoSlots({ ...BUSY, running: 3 }, CALM), null, 'a slot is free already')
  assert.equal(autoSlots(BUSY, { ...CALM, busy: 0.9 }), null)
  assert.equal(autoSlots(BUSY, { ...CALM, freeMemory: 0.1 }), null)
})

test('fewer where the machine is crowded, nothing waits, or memory or disk run out; never none', () => {
  assert.equal(autoSlots(BUSY, { ...CALM, busy: 0.99, load: 9 })?.slots, 3)
  assert.equal(autoSlots({ ...BUSY, running: 2, ready: 0 }, CALM)?.slots, 2)
  assert.equal(autoSlots(BUSY, { ...CALM, freeMemory: 0.01 })?.slots, 2)
  assert.match(autoSlots(BUSY, { ...CALM, freeDiskBytes: 100 << 20 })?.why ?? '', /100 MB of disk/)
  assert.equal(autoSlots({ ...BUSY, slots: 1, running: 1 }, { ...CALM, freeDiskBytes: 0 }), null)
})

test('between one and the most, whatever is seen', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const machine = fc.record({
    cpus: fc.integer({ min: 1, max: 64 }),
    busy: share,
    load: fc.double({ min: 0, max: 99, noNaN: true }),
    freeMemory: share,
    freeDiskBytes: fc.integer({ min: 0, max: 2 ** 40 }),
  })
  const queue = fc.record({
    slots: fc.integer({ min: 1, max: 16 }),
    running: fc.nat(20),
    ready: fc.nat(20),
    most: fc.constant(16),
  })
  fc.assert(
    fc.property(queue, machine, (facts, seen) => {
      const change = autoSlots(facts, seen)
      if (change)
        assert.ok(change.slots >= 1 && change.slots <= 16 && change.slots !== facts.slots && change.why !== '')
    }),
  )
})
