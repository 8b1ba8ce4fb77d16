// Sections about learning: lessons of the run, models that `model: auto` chose, and estimates compared with reality.

import { type ChosenModel, chosenModel, type modelFacts, type Saved } from '../../facts/model-choices.ts'
import type { Lesson } from '../../learning-records.ts'
import { isDone } from '../../status.ts'
import { likelyMs, likelyUsd, type Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { count, percent } from '../../text/figures.ts'
import { money } from '../../text/usage-text.ts'
import type { RunView } from '../../view.ts'
import { type ReportSection, table } from './section.ts'

/** Lists the most trusted lessons first. */
export function learnedSection(lessons: readonly Lesson[]): ReportSection {
  return {
    title: 'What was learned',
    words: [`${count(lessons.length, 'lesson')} learned or seen again. All lessons: espalier expertise list`],
    ...table(
      ['Lesson', 'Seen', 'Confidence', 'Domain', 'Id'],
      lessons.toSorted((a, b) => b.confidence - a.confidence),
      ({ id, text, seen, confidence, domain }) => [
        ...[text, seen === 1 ? 'new' : `${seen}×`, percent(confidence), domain, id],
      ],
      MOST_LESSONS,
    ),
  }
}

/** Lessons listed; `espalier expertise list` has all of them. */
const MOST_LESSONS = 5

export function modelSection({ chosen, saved }: ReturnType<typeof modelFacts>): ReportSection {
  const head = ['Task', 'Model', 'Success expected', 'Came out', 'Cost expected', 'Cost', 'Why']
  const words = saved.tasks > 0 ? [savedWords(saved)] : []
  return { title: 'Models', words, ...table(head, chosen, modelCells, MOST_MODELS) }
}

function modelCells({ task, attempt, succeeded, success, expectedUsd, costUsd, ...choice }: ChosenModel) {
  const outcome = succeeded === null ? 'running' : succeeded ? 'succeeded' : 'failed'
  const cost = costUsd === null ? '' : money(costUsd)
  return [`${task}/${attempt}`, chosenModel(choice), percent(success), outcome, money(expectedUsd), cost, choice.why]
}

export function savedWords({ tasks, costUsd, dearestUsd, savedUsd }: Saved): string {
  const paid = `${count(tasks, 'task')} cost ${money(costUsd)}. With the dearest model for each, at its first try, it would probably have been ${money(dearestUsd)}`
  return savedUsd >= 0 ? `${paid}: about ${money(savedUsd)} saved.` : `${paid}, about ${money(-savedUsd)} less.`
}

const MOST_MODELS = 50

type EstimateFacts = ReturnType<typeof estimateFacts>

/** Factors: geometric mean of how far estimates were off, up or down. Null: nothing to compare. */
export function estimateFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Plan) {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]))
  const compared = tasks.flatMap(({ id, status, history }) => {
    // Estimates are for an attempt that succeeds.
    const last = history.at(-1)
    const task = planned.get(id)
    const [estimateMs, estimateUsd] = task ? [likelyMs(task), likelyUsd(task)] : [null, null]
    if (!isDone(status) || !last?.finishedAt || (estimateMs === null && estimateUsd === null)) return []
    const ms = Math.max(0, last.finishedAt - last.startedAt)
    return [{ task: id, estimateMs, ms, estimateUsd, costUsd: last.usage?.costUsd || null }]
  })
  return {
    tasks: compared,
    timeFactor: meanFactor(compared.map(({ estimateMs, ms }) => factorOf(estimateMs, ms))),
    costFactor: meanFactor(compared.map(({ estimateUsd, costUsd }) => factorOf(estimateUsd, costUsd))),
  }
}

/** Factor by which the estimate was off, up or down (at least 1); null: nothing to compare. */
function factorOf(estimated: number | null, actual: number | null): number | null {
  return estimated && actual ? Math.max(actual / estimated, estimated / actual) : null
}

function meanFactor(all: readonly (number | null)[]): number | null {
  const factors = all.filter((factor) => factor !== null)
  if (factors.length === 0) return null
  return Math.exp(factors.reduce((sum, factor) => sum + Math.log(factor), 0) / factors.length)
}

/** Lists the tasks with the worst estimates first. */
export function estimateSection({ tasks, timeFactor, costFactor }: EstimateFacts): ReportSection {
  const worst = (one: (typeof tasks)[number]) =>
    Math.max(factorOf(one.estimateMs, one.ms) ?? 0, factorOf(one.estimateUsd, one.costUsd) ?? 0)
  const timed = tasks.filter(({ estimateMs }) => estimateMs !== null)
  const priced = tasks.filter(({ estimateUsd, costUsd }) => estimateUsd !== null && costUsd !== null)
  const factors = [...offBy('time', timeFactor, timed.length), ...offBy('cost', costFactor, priced.length)].join(', ')
  return {
    title: 'Estimates',
    words: [
      'Estimates come from the plan, or else from earlier runs of the same task or of similar ones.',
      ...(factors ? [`On average they were off by a factor of ${factors}.`] : []),
    ],
    ...table(
      ['Task', 'Time expected', 'Time', 'Cost expected', 'Cost'],
      tasks.toSorted((a, b) => worst(b) - worst(a)),
      ({ task, estimateMs, ms, estimateUsd, costUsd }) => [
        task,
        estimateMs === null ? '' : formatDuration(estimateMs),
        formatDuration(ms),
        estimateUsd === null ? '' : money(estimateUsd),
        costUsd === null ? '' : money(costUsd),
      ],
      MOST_ESTIMATES,
    ),
  }
}

/** Omits the average of few tasks: it says nothing, and the table lists them. */
function offBy(what: string, factor: number | null, compared: number): string[] {
  return factor === null || compared < FEWEST_COMPARED ? [] : [`${factor.toFixed(1)} (${what})`]
}

const MOST_ESTIMATES = 10
const FEWEST_COMPARED = 3
