// What was learned in a run: lessons, the models that `model: auto` chose, and estimates against what tasks really took.

import type { ChosenModel, ModelFacts, Saved } from '../../facts/model-choices.ts'
import type { Lesson } from '../../lesson.ts'
import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import { type EstimatedTask, type EstimateFacts, factorOf } from '../facts/estimates.ts'
import { percent, plural } from '../wording.ts'
import type { ReportSection } from './section.ts'

/** The most trusted first. */
export function learnedSection(lessons: readonly Lesson[]): ReportSection | null {
  if (lessons.length === 0) return null
  const shown = lessons.toSorted((a, b) => b.confidence - a.confidence).slice(0, MOST_LESSONS)
  return {
    title: 'What was learned',
    words: [`${plural(lessons.length, 'lesson')} learned or seen again. All lessons: espalier expertise list`],
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
  const paid = `${plural(tasks, 'task')} cost ${money(costUsd)}. With the dearest model for each, at its first try, it would probably have been ${money(dearestUsd)}`
  return savedUsd >= 0 ? `${paid}: about ${money(savedUsd)} saved.` : `${paid}, about ${money(-savedUsd)} less.`
}

const MOST_MODELS = 50

/** Those that were furthest from what was expected come first. */
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
