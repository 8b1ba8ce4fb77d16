import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import type { Event } from '../../src/event.ts'
import { type LearningContext, taught } from '../../src/learning/lessons-from-event.ts'
import { NO_USAGE, type Usage } from '../../src/usage.ts'
import { sampleTask } from '../cli/sample-run.ts'
import { attemptOf } from '../reports/sample.ts'
import { taskOf } from './sample.ts'

const NOTHING = { commit: null, failure: null, diff: null, usage: null, summary: null }
const FINISHED: Event = {
  ...{ ...NOTHING, type: 'attempt.finished', task: 'a', attempt: 1, outcome: 'no-change', seq: 1, at: 9 },
}

test('a cost that is not known, or only in part, is learned as unknown', () => {
  const costOf = (usage: Usage | null) => {
    const view = sampleTask('a', 'passed', { history: [attemptOf({ attempt: 1, finishedAt: 9, usage })] })
    const context: LearningContext = {
      ...{ run: 'r', settings: DEFAULT_SETTINGS, secrets: [], task: () => taskOf('Do it.'), view: () => view },
    }
    return taught(FINISHED, context).map(({ experience }) => experience?.costUsd)
  }
  assert.deepEqual(costOf({ ...NO_USAGE, costUsd: 2 }), [2])
  assert.deepEqual(costOf({ ...NO_USAGE, costUsd: 2, costUnknown: true }), [null])
  assert.deepEqual(costOf(null), [null])
})
