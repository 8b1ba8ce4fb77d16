// Tasks, attempts and lessons for these tests: what a test does not care about is filled in.

import type { Observation, ObservedAttempt } from '../../src/learning/observe.ts'
import type { Experience, Lesson } from '../../src/learning-records.ts'
import type { Task } from '../../src/task.ts'
import { makePlan } from '../rig/plan.ts'

export function taskOf(prompt: string, more: Partial<Task> = {}): Task {
  return makePlan([{ id: 'a', prompt, ...more }]).tasks[0] as Task
}

export function experienceOf(more: Partial<Experience> = {}): Experience {
  return {
    ...{ run: 'r1', task: 'a', attempt: 1, at: 1, agent: 'claude', model: 'small', domain: 'api', complexity: 0.4 },
    ...{ words: ['invoice'], succeeded: true, costUsd: 1, durationMs: 60_000 },
    ...more,
  }
}

export const EVIDENCE_OF_A = { run: 'r1', task: 'a', attempt: 1, session: 's1', commit: 'c'.repeat(40) }

export function sessionOf(more: Partial<ObservedAttempt> = {}): ObservedAttempt {
  return { domain: 'api', evidence: EVIDENCE_OF_A, succeeded: true, ...more }
}

export function observationOf(more: Partial<Observation> = {}): Observation {
  const text = 'Run the generator after a change of the schema.'
  return {
    ...{ domain: 'api', kind: 'advice', key: 'generator', text, paths: [], evidence: EVIDENCE_OF_A, trust: 0.5 },
    ...more,
  }
}

export function lessonOf(more: Partial<Lesson> = {}): Lesson {
  return {
    ...{ id: '0123456789', domain: 'api', kind: 'advice', text: 'Mind the gap.', paths: [], confidence: 0.6, seen: 1 },
    ...{ helped: 0, failed: 0, evidence: [EVIDENCE_OF_A], learnedAt: 1, updatedAt: 1 },
    ...more,
  }
}
