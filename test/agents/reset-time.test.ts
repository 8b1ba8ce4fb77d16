import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { providerTrouble } from '../../src/agents/provider-trouble.ts'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const DAY = 24 * HOUR
/** A Sunday in the machine's own time, as the programs tell it. */
const NOW = new Date(2026, 10, 15, 12, 30, 20).getTime()

const at = (...[day, hour, minute]: [number, number, number]) => new Date(2026, 10, day, hour, minute).getTime()

const cases: [message: string, until: number | null][] = [
  ['try again at 1:53 PM.', at(15, 13, 53)],
  ['or try again at 13:53', at(15, 13, 53)],
  ['try again at 12:05 AM', at(16, 0, 5)],
  ['try again at 9:00 AM', at(16, 9, 0)],
  // Said in this very minute, or read late.
  ['try again at 12:30 PM', null],
  ['try again at 12:01 PM', null],
  ['Try again at Nov 18th, 2026 1:53 PM.', at(18, 13, 53)],
  ['Try again at November 18, 2026 at 1:53 pm', at(18, 13, 53)],
  ['Try again at Nov 14th, 2026 1:53 PM.', null],
  ['Try again at Nov 18th, 2036 1:53 PM.', NOW + 8 * DAY],
  ['try again at Foo 18th, 2026 1:53 PM', null],
  ['try again in 3 days 2 hours 5 minutes.', NOW + 3 * DAY + 2 * HOUR + 5 * MINUTE],
  ['Please try again in 1.5s.', NOW + 1.5 * SECOND],
  ['Please try again in 6m0s. Visit', NOW + 6 * MINUTE],
  ['Please retry in 250ms', NOW + 250],
  ['Your quota will reset after 18h31m10s.', NOW + 18 * HOUR + 31 * MINUTE + 10 * SECOND],
  ['try again in 400 days', NOW + 8 * DAY],
  ['try again in 3 moons', null],
  ['try again later', null],
  ['it is 1:53 PM', null],
]
for (const [message, until] of cases)
  test(message, () => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    const { limited } = providerTrouble(message, 429)
    mock.timers.reset()
    assert.deepEqual(limited, { until })
  })
