// The example of the document: 10, 8, 12, 9 and 11 minutes on three workers take 19 at best, and so they do once they are known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { virtualLimits, virtualRun } from '../../../src/scheduler/virtual-run.ts'
import { buildSuite } from '../../../src/workloads/suite/build.ts'
import { readSuite } from '../../../src/workloads/suite/read.ts'

const MINUTES = [10, 8, 12, 9, 11]

test('the longest goes first by history, and no worker is late', () => {
  const entries = MINUTES.map((_, n) => `{id: t${n}, run: x}`)
  const read = readSuite(`entries: [${entries.join(', ')}]`, 's.yaml')
  assert.ok(read.ok)
  const around = {
    ...{ plans: new Map(), filesLike: () => [], fileTimes: new Map(), runner: null, settings: DEFAULT_SETTINGS },
    ...{ agents: [], workers: 3, compared: null },
    durations: new Map(MINUTES.map((minutes, n) => [`t${n}`, minutes * 60_000])),
  }
  const built = buildSuite(read.value, around)
  assert.ok(built.ok)
  assert.equal(virtualRun(built.value.plan, { limits: virtualLimits(3) }).makespanMs, 19 * 60_000)
})
