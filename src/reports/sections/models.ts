// Models that `model: auto` chose, why, and the estimated saving.
import type { ChosenModel, ModelFacts, Saved } from '../../facts/model-choices.ts'
import { money } from '../../text/usage-text.ts'
import { percent, plural } from '../wording.ts'
import type { ReportSection } from './section.ts'

export function modelSection({ chosen, saved }: ModelFacts): ReportSection | null {
  if (chosen.length === 0) return null
  const shown = chosen.slice(0, MAX_ROWS)
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

const MAX_ROWS = 50
