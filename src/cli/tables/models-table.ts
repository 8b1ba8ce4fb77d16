// The models of each agent with their results, and the models chosen in the newest run.
import type { ModelsView } from '../../engine/expertise/model-records.ts'
import { modelSection, savedWords } from '../../reports/sections/learned.ts'
import { type ReportSection, table } from '../../reports/sections/section.ts'
import { formatDuration } from '../../text/duration.ts'
import { percent } from '../../text/figures.ts'
import { money } from '../../text/usage-text.ts'
import { hanging } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'
import { sectionLines } from '../terminal/section-lines.ts'
import { blocks } from '../terminal/table.ts'

export function modelLines(view: ModelsView, look: Look): string[] {
  const { agents, pricesDated, newest, saved } = view
  const sections = [...agents.flatMap((agent) => agentSections(agent, pricesDated)), chosenSection(newest)]
  const total = saved.runs > 1 ? `In the newest ${saved.runs} runs: ${savedWords(saved)}` : ''
  const none = 'No run has chosen a model yet: set `model: auto` in a plan'
  return blocks([sectionLines(sections, look), hanging(newest ? total : none, look.width, 2).filter(Boolean)])
}

type AgentModels = ModelsView['agents'][number]

function agentSections({ agent, tiers, records }: AgentModels, dated: string): ReportSection[] {
  const isListed = tiers.some(({ pricedBy }) => pricedBy === 'list')
  const words = isListed ? [`Prices: US dollars per million tokens, as published on ${dated}.`] : []
  return [
    { title: agent, words, ...table(['Tier', 'In', 'Cached', 'Out', 'Price'], tiers, tierCells) },
    { title: `Results of ${agent}`, ...table(RECORD_HEAD, records, recordCells) },
  ]
}

function tierCells({ model, price, pricedBy }: AgentModels['tiers'][number], index: number): string[] {
  const figures = price ? [price.input, price.cacheRead ?? price.input, price.output].map((usd) => `$${usd}`) : []
  const [input = '', cached = '', output = ''] = figures
  const word = price === null ? 'not known' : pricedBy === 'settings' ? 'by your settings' : ''
  return [`${index + 1} ${model}`, input, cached, output, word]
}

const RECORD_HEAD = ['Model', 'Tasks', 'Attempts', 'Succeeded', 'Mean cost', 'Mean time']

function recordCells(record: AgentModels['records'][number]): string[] {
  const { model, domain, complexity, attempts, succeeded, meanUsd, meanMs } = record
  return [
    ...[model ?? 'its own choice', `${domain}, ${complexity}`, String(attempts), percent(succeeded / attempts)],
    ...[meanUsd === null ? '' : money(meanUsd), formatDuration(meanMs)],
  ]
}

function chosenSection(newest: ModelsView['newest']): ReportSection | null {
  if (!newest) return null
  const { run, choices, saved } = newest
  return { ...modelSection({ chosen: choices, saved }), title: `Chosen in run ${run}` }
}
