// The models that agents can choose from, their results so far, and the choices of `model: auto`.

import { MODELS_DATED } from '../../agents/facts.ts'
import { programNames } from '../../agents/list.ts'
import { priceOf } from '../../agents/prices.ts'
import { LIMITS, type Settings } from '../../config.ts'
import { type ChosenModel, chosenModels, savedBy } from '../../facts/model-choices.ts'
import { tierNames } from '../../learning/models-of-agent.ts'
import type { Experience } from '../../learning-records.ts'
import { mapped, ok, type Result } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** A third each of the possible complexity of a task. */
const COMPLEXITIES = ['low', 'medium', 'high'] as const

export type ModelsView = ReturnType<typeof modelsView>

export async function readModels(
  workspace: Workspace,
  { settings }: { settings: Settings },
): Promise<Result<ModelsView>> {
  const none = { past: [] as Experience[], runs: [] as ChosenInRun[] }
  const read = await workspace.read(none, async (store) =>
    ok({ past: await store.experiences(), runs: await chosenInRuns(store) }),
  )
  return mapped(read, ({ past, runs }) => modelsView(past, runs, settings))
}

function modelsView(past: readonly Experience[], runs: readonly ChosenInRun[], settings: Settings) {
  const [newest] = runs
  // Task names repeat between runs.
  const all = runs.flatMap(({ run, choices }) => choices.map((one) => ({ ...one, task: `${run}/${one.task}` })))
  return {
    pricesDated: MODELS_DATED,
    agents: agentsOf(past, settings),
    /** Choices in the newest run with any; null: no kept run has one. */
    newest: newest ? { ...newest, saved: savedBy(newest.choices) } : null,
    saved: { ...savedBy(all), runs: runs.length },
  }
}

type ChosenInRun = { run: string; choices: ChosenModel[] }

async function chosenInRuns(store: Store): Promise<ChosenInRun[]> {
  const runs = (await store.runs()).slice(0, LIMITS.learnedRuns)
  const found = await Array.fromAsync(runs, async ({ run }) => {
    return { run, choices: chosenModels((await store.tasks(run)).values()) }
  })
  return found.filter(({ choices }) => choices.length > 0)
}

function agentsOf(past: readonly Experience[], settings: Settings) {
  const byAgent = Map.groupBy(past, ({ agent }) => agent)
  return [...new Set([...programNames(settings), ...byAgent.keys()])]
    .filter((agent) => agent !== SHELL)
    .map((agent) => ({ agent, tiers: pricedTiers(agent, settings), records: recordsOf(byAgent.get(agent) ?? []) }))
    .filter(({ tiers, records }) => tiers.length + records.length > 0)
}

/** Shell commands of a plan count as experience, without a model. */
const SHELL = 'run'

/** Models that `model: auto` chooses from, the cheapest first. A null price is unknown. */
function pricedTiers(agent: string, settings: Settings) {
  return tierNames(agent, settings).map((model) => {
    const price = priceOf(model, settings.prices)
    const by = price === priceOf(model) ? ('list' as const) : ('settings' as const)
    return { model, price, pricedBy: price && by }
  })
}

function recordsOf(past: readonly Experience[]) {
  const kinds = Map.groupBy(past, (one) => `${one.model ?? ''}\n${one.domain}\n${levelOf(one)}`)
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alike]) => recordOf(alike))
}

function recordOf(alike: readonly Experience[]) {
  const { model, domain, complexity } = alike[0] as Experience
  const paid = alike.flatMap(({ costUsd }) => costUsd || [])
  return {
    ...{ model, domain, complexity: COMPLEXITIES[levelOf({ complexity })] ?? 'high' },
    attempts: alike.length,
    succeeded: alike.filter(({ succeeded }) => succeeded).length,
    /** Mean of the attempts whose cost is known; null: none. */
    meanUsd: paid.length === 0 ? null : mean(paid),
    meanMs: mean(alike.map(({ durationMs }) => durationMs)),
  }
}

function levelOf({ complexity }: Pick<Experience, 'complexity'>): number {
  return Math.min(COMPLEXITIES.length - 1, Math.floor(complexity * COMPLEXITIES.length))
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}
