// What was learned in a run: lessons, the models that `model: auto` chose, and estimates against what tasks really took.

import type { ChosenModel, ModelFacts, Saved } from '../../facts/model-choices.ts'
import type { Lesson } from '../../lesson.ts'
import { likelyMs, likelyUsd, type Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { count, percent } from '../../text/figures.ts'
import { money } from '../../text/usage-text.ts'
import type { RunView } from '../../view.ts'
import type { ReportSection } from './section.ts'

/** The most trusted first. */
export function learnedSection(lessons: readonly Lesson[]): ReportSection | null {
  if (lessons.length === 0) return null
  const shown = lessons.toSorted((a, b) => b.confidence - a.confidence).slice(0, MOST_LESSONS)
  return {
    title: 'What was learned',
    words: [`${count(lessons.length, 'lesson')} learned or seen again. All lessons: espalier expertise list`],
    head: ['Lesson', 'Seen', 'Confidence', 'Domain', 'Id'],
    rows: shown.map(({ id, text, seen, confidence, domain }) => [
      ...[text, seen === 1 ? 'new' : `${seen}×`, percent(confidence), domain, id],
    ]),
    leftOut: lessons.length - shown.length,
  }
}

/** `espalier expertise list` has all of them. */
const MOST_LESSONS = 5

export function modelSection({ chosen, saved }: ModelFacts): ReportSection | null {
  if (chosen.length === 0) return null
  const shown = chosen.slice(0, MOST_MODELS)
  return {
    title: 'Models',
    words: saved.tasks > 0 ? [savedWords(saved)] : [],
    head: ['Task', 'Model', 'Success expected', 'Came out', 'Cost expected', 'Cost', 'Why'],
    rows: shown.map(cells),
    leftOut: chosen.length - shown.length,
  }
}

function cells({ task, attempt, model, tier, tiers, success, succeeded, expectedUsd, costUsd, why }: ChosenModel) {
  return [
    `${task}/${attempt}`,
    `${model} (${tier} of ${tiers})`,
    percent(success),
    succeeded === null ? 'running' : succeeded ? 'succeeded' : 'failed',
    money(expectedUsd),
    costUsd === null ? '' : money(costUsd),
    why,
  ]
}

function savedWords({ tasks, costUsd, dearestUsd, savedUsd }: Saved): string {
  const paid = `${count(tasks, 'task')} cost ${money(costUsd)}. With the dearest model for each, at its first try, it would probably have been ${money(dearestUsd)}`
  return savedUsd >= 0 ? `${paid}: about ${money(savedUsd)} saved.` : `${paid}, about ${money(-savedUsd)} less.`
}

const MOST_MODELS = 50

/** Of the attempt that succeeded: estimates are for one that does. Null: it was not estimated, or is not known. */
type EstimatedTask = {
  task: string
  estimateMs: number | null
  ms: number
  estimateUsd: number | null
  costUsd: number | null
}

/** Factors: how many times as much or as little it took, on (geometric) average. Null: nothing to compare. */
type EstimateFacts = {
  tasks: EstimatedTask[]
  timeFactor: number | null
  costFactor: number | null
}

export function estimateFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Plan): EstimateFacts {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]))
  const compared = tasks.flatMap(({ id, status, history }): EstimatedTask[] => {
    const last = history.at(-1)
    const task = planned.get(id)
    const [estimateMs, estimateUsd] = task ? [likelyMs(task), likelyUsd(task)] : [null, null]
    if ((status !== 'landed' && status !== 'passed') || !last?.finishedAt) return []
    if (estimateMs === null && estimateUsd === null) return []
    const ms = Math.max(0, last.finishedAt - last.startedAt)
    return [{ task: id, estimateMs, ms, estimateUsd, costUsd: last.usage?.costUsd || null }]
  })
  const times = compared.map(({ estimateMs, ms }) => [estimateMs, ms] as const)
  const costs = compared.map(({ estimateUsd, costUsd }) => [estimateUsd, costUsd] as const)
  return {
    tasks: compared,
    timeFactor: meanFactor(times),
    costFactor: meanFactor(costs),
  }
}

/** How many times as much it took, or as little; null: there is nothing to compare. */
function factorOf(estimated: number | null, actual: number | null): number | null {
  return estimated && actual ? Math.max(actual / estimated, estimated / actual) : null
}

function meanFactor(pairs: readonly (readonly [estimated: number | null, actual: number | null])[]): number | null {
  const factors = pairs.flatMap(([estimated, actual]) => factorOf(estimated, actual) ?? [])
  if (factors.length === 0) return null
  return Math.exp(factors.reduce((sum, factor) => sum + Math.log(factor), 0) / factors.length)
}

/** The tasks that were furthest from what was expected come first. */
export function estimateSection({ tasks, timeFactor, costFactor }: EstimateFacts): ReportSection | null {
  if (tasks.length === 0) return null
  const worst = (one: EstimatedTask) =>
    Math.max(factorOf(one.estimateMs, one.ms) ?? 0, factorOf(one.estimateUsd, one.costUsd) ?? 0)
  const shown = tasks.toSorted((a, b) => worst(b) - worst(a)).slice(0, MOST_ESTIMATES)
  const timed = tasks.filter(({ estimateMs }) => estimateMs !== null)
  const priced = tasks.filter(({ estimateUsd, costUsd }) => estimateUsd !== null && costUsd !== null)
  const factors = [...offBy('time', timeFactor, timed.length), ...offBy('cost', costFactor, priced.length)].join(', ')
  return {
    title: 'Estimates',
    words: [
      'Estimates come from the plan, or else from earlier runs of the same task or of similar ones.',
      ...(factors ? [`On average they were off by a factor of ${factors}.`] : []),
    ],
    head: ['Task', 'Time expected', 'Time', 'Cost expected', 'Cost'],
    rows: shown.map(({ task, estimateMs, ms, estimateUsd, costUsd }) => [
      task,
      estimateMs === null ? '' : formatDuration(estimateMs),
      formatDuration(ms),
      estimateUsd === null ? '' : money(estimateUsd),
      costUsd === null ? '' : money(costUsd),
    ]),
    leftOut: tasks.length - shown.length,
  }
}

/** The average of a few says nothing: they are in the table. */
function offBy(what: string, factor: number | null, compared: number): string[] {
  return factor === null || compared < FEWEST_COMPARED ? [] : [`${factor.toFixed(1)} (${what})`]
}

const MOST_ESTIMATES = 10
const FEWEST_COMPARED = 3
