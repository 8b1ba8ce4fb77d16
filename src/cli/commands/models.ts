import { type ModelsView, readModels } from '../../engine/expertise/model-records.ts'
import { type ChosenModel, chosenModel, type Saved } from '../../facts/model-choices.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { money } from '../../text/usage-text.ts'
import { fit } from '../../text/width.ts'
import { help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { type Look, lookOf } from '../surroundings.ts'
import { blocks, tableLines } from '../terminal/table.ts'
import { warnOfDamage } from './expertise.ts'

export const commands = {
  models: inWorkspace(
    { json: ONE_OBJECT },
    help(
      `For each agent: the models that \`model: auto\` chooses from, with their prices and their results so far, by kind of task
(domain and complexity). Then what was chosen in the newest run and why, and the estimated saving against the dearest
model for every task, assuming as many tokens and no retries.`,
      '0.',
      'espalier models',
      'espalier models --json | jq .saved',
    ),
    async (here) => {
      const warned = await warnOfDamage(here)
      const read = warned.ok ? await readModels(here.workspace, { settings: here.settings }) : warned
      return read.ok ? { json: read.value, lines: modelLines(read.value, lookOf(here)) } : read
    },
  ),
}

export function modelLines(view: ModelsView, look: Look): string[] {
  return blocks([...view.agents.map((agent) => agentLines(agent, view.pricesDated, look)), chosenLines(view, look)])
}

function agentLines({ agent, tiers, records }: ModelsView['agents'][number], dated: string, look: Look): string[] {
  const { palette } = look
  return [
    palette.strong(agent),
    ...(tiers.length > 0 ? table(TIER_HEAD, tiers.map(tierCells), 1, look) : []),
    ...(tiers.some(({ pricedBy }) => pricedBy === 'list')
      ? [palette.dim(`  prices: US dollars per million tokens, as published on ${dated}`)]
      : []),
    ...(records.length > 0 ? table(RECORD_HEAD, records.slice(0, MOST_ROWS).map(recordCells), 2, look) : []),
    ...left(records.length, look),
  ]
}

const TIER_HEAD = ['tier', 'in', 'cached', 'out', '']

function tierCells({ model, price, pricedBy }: ModelsView['agents'][number]['tiers'][number], index: number): string[] {
  if (!price) return [`${index + 1} ${model}`, '', '', '', 'no price is known']
  const figures = [price.input, price.cacheRead ?? price.input, price.output].map((usd) => `$${usd}`)
  return [`${index + 1} ${model}`, ...figures, pricedBy === 'settings' ? 'by your settings' : '']
}

const RECORD_HEAD = ['model', 'tasks', 'attempts', 'succeeded', 'mean cost', 'mean time']

function recordCells({
  model,
  domain,
  complexity,
  attempts,
  succeeded,
  meanUsd,
  meanMs,
}: ModelsView['agents'][number]['records'][number]): string[] {
  return [
    model ?? 'its own choice',
    `${domain}, ${complexity}`,
    String(attempts),
    `${Math.round((100 * succeeded) / attempts)} %`,
    meanUsd === null ? '' : money(meanUsd),
    formatDuration(meanMs),
  ]
}

function chosenLines({ newest, saved }: ModelsView, look: Look): string[] {
  if (!newest) return [look.palette.dim('No run has chosen a model yet: set `model: auto` in a plan')]
  const { run, choices } = newest
  const shown = choices.slice(-MOST_ROWS)
  const more = saved.runs > 1 ? ` In the newest ${saved.runs} runs: ${savedText(saved)}.` : ''
  return [
    look.palette.strong(`chosen in run ${run}`),
    ...table(CHOICE_HEAD, shown.map(choiceCells), 2, look),
    ...left(choices.length, look),
    ...(newest.saved.tasks > 0 ? [`${savedText(newest.saved)} (an estimate).${more}`] : []),
  ]
}

const CHOICE_HEAD = ['task', 'model', 'expected', 'cost', 'why']

function choiceCells(chosen: ChosenModel): string[] {
  const { task, attempt, expectedUsd, costUsd, succeeded, why } = chosen
  const end = succeeded === null ? '… ' : succeeded ? '✓ ' : '✗ '
  const cost = costUsd === null ? '' : money(costUsd)
  return [`${end}${task}/${attempt}`, chosenModel(chosen), money(expectedUsd), cost, safeLine(why)]
}

/** `saved about $3.20: $1.10 instead of $4.30 with the dearest model for all of 12 tasks` */
function savedText({ tasks, costUsd, dearestUsd, savedUsd }: Saved): string {
  const word = savedUsd >= 0 ? 'saved about' : 'cost more by about'
  const all = `the dearest model for ${tasks === 1 ? 'the task' : `all of ${count(tasks, 'task')}`}`
  return `${word} ${money(Math.abs(savedUsd))}: ${money(costUsd)} instead of ${money(dearestUsd)} with ${all}`
}

/** Figures from that column on, except for the last where that is words. */
function table(head: string[], rows: string[][], figures: number, look: Look): string[] {
  const isRight = (column: number) => column >= figures && head[column] !== 'why' && head[column] !== ''
  return tableLines(head, rows, { ...look, isRight, indent: 2 })
}

function left(all: number, { palette, width }: Look): string[] {
  return all > MOST_ROWS ? [palette.dim(fit(`  … and ${all - MOST_ROWS} more; --json has all of them`, width))] : []
}

const MOST_ROWS = 60
