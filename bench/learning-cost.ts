// What learning from a task and telling the next one costs, on a store that is as full as it gets.
import { join } from 'node:path'
import { DEFAULT_SETTINGS, LIMITS, type Settings } from '../src/config.ts'
import { Learner } from '../src/engine/expertise/learner.ts'
import type { Event } from '../src/event.ts'
import type { LearningContext } from '../src/learning/lessons-from-event.ts'
import { DOMAINS, GENERAL } from '../src/learning/task-features.ts'
import type { Lesson } from '../src/learning-records.ts'
import { openStore } from '../src/store/open.ts'
import type { Task } from '../src/task.ts'
import { sampleTask } from '../test/cli/sample-run.ts'
import { experienceOf, lessonOf } from '../test/learning/sample.ts'
import { attemptOf } from '../test/reports/sample.ts'
import { newRun } from '../test/store/contract.ts'
import { median } from './statistics.ts'

const TASKS = 60
const EXPERIENCES = 5_000

/** In ms a task: telling it what is known, choosing its model, and learning from it. */
export async function learningCost(scratch: string, task: Task, enabled: boolean): Promise<number> {
  const opened = await openStore(join(scratch, `${enabled}.db`))
  if (!opened.ok) throw new Error('no store')
  await using store = opened.value
  const settings: Settings = { ...DEFAULT_SETTINGS, learning: { ...DEFAULT_SETTINGS.learning, enabled } }
  await store.createRun({ ...newRun('bench'), settings })
  const lessons = fullOf(LIMITS.lessonsPerDomain)
  await store.learn((known) => {
    for (const one of lessons) known.set(one.id, one)
    const touched = lessons.map(({ id }) => id)
    const experiences = Array.from({ length: EXPERIENCES }, (_, n) =>
      experienceOf({ model: 'claude-haiku-4-5', complexity: (n % 100) / 100, attempt: n + 1, words: words(n) }),
    )
    return { touched, experiences }
  })
  const learner = await Learner.open(store, settings)
  const times: number[] = []
  for (let n = 1; n <= TASKS; n++) {
    const started = performance.now()
    await learner.expertise(task)
    learner.choose({ task, agent: 'claude', history: [], tries: 2, budgetUsd: null })
    learner.look(finished(task.id, n), around(task, settings, n))
    learner.keep('bench', n)
    await learner.settle(null)
    times.push(performance.now() - started)
  }
  if (enabled && (await store.experiences()).at(-1)?.run !== 'bench') throw new Error('nothing was learned')
  return median(times)
}

/** As many as an attempt may have. */
function words(n: number): string[] {
  return Array.from({ length: 24 }, (_, m) => `word${(n * 7 + m * 13) % 400}`)
}

function fullOf(lessonsPerDomain: number): Lesson[] {
  return [...Object.keys(DOMAINS), GENERAL].flatMap((domain, at) =>
    Array.from({ length: lessonsPerDomain }, (_, n) =>
      lessonOf({
        ...{ id: (at * 100_000 + n).toString(16).padStart(10, '0'), domain, confidence: (n % 90) / 100 + 0.05 },
        ...{
          text: `Changes of src/${n}.ts went with changes of test/${n}.ts.`,
          paths: [`src/${n}.ts`, `test/${n}.ts`],
        },
      }),
    ),
  )
}

function finished(task: string, seq: number): Event {
  const none = { commit: null, failure: null, diff: null, usage: null, summary: null }
  return { type: 'attempt.finished', task, attempt: seq, outcome: 'no-change', ...none, seq, at: seq }
}

function around(task: Task, settings: Settings, n: number): LearningContext {
  const touched = { paths: ['src/a.ts', 'src/b.ts', 'src/c.ts'], count: 3 }
  const history = [attemptOf({ touched, lessons: ['0000000001', '0000000002'], finishedAt: 9, attempt: n })]
  const view = sampleTask(task.id, 'passed', { history })
  return { run: 'bench', settings, secrets: [], task: () => task, view: () => view }
}
