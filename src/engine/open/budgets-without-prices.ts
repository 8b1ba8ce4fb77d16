// A budget can be kept only if costs are known.

import { AUTO, agentOf, modelOf } from '../../agents/agent-of-task.ts'
import type { CostReport } from '../../agents/facts.ts'
import { givePrice, priceOf } from '../../agents/prices.ts'
import type { Settings } from '../../config.ts'
import { modelsOf } from '../../learning/tiers.ts'
import { type Problem, problem } from '../../problem.ts'
import { agentsOf, type Plan, type Task } from '../../task.ts'

/**
 * Warnings about tasks under a budget whose agent reports no cost, or only at its end, and whose model has no price; errors if
 * `strictBudget` is set.
 */
export function unpriced(plan: Plan, settings: Settings): Problem[] {
  const epics = new Set(plan.epics.flatMap(({ id, budgetUsd }) => (budgetUsd === undefined ? [] : [id])))
  const isUnderBudget = ({ budgetUsd, epic }: Task) =>
    settings.budgetUsd !== null || budgetUsd !== undefined || (epic !== null && epics.has(epic))
  const found = new Map<string, Found>()
  for (const task of plan.tasks.filter(isUnderBudget))
    for (const agent of agentsOf(task.work)) {
      const model = modelOf(task, settings, agent)
      if (!isUnpriced(task, settings, agent, model)) continue
      const { cost } = agentOf(task, settings, agent)
      const known = found.get(`${agent} ${model}`) ?? { agent, model, cost, tasks: [] }
      found.set(`${agent} ${model}`, { ...known, tasks: [...known.tasks.slice(0, NAMED), task.id] })
    }
  const severity = settings.strictBudget ? 'error' : 'warning'
  return [...found.values()].map(({ agent, model, cost, tasks }) => {
    const of = `${tasks.slice(0, NAMED).join(', ')}${tasks.length > NAMED ? ', …' : ''}`
    const text = cost === 'perhaps-unknown' ? untold(agent) : warning(agent, model, cost === 'reported-at-end')
    return problem(`${text} (of ${of})`, { severity })
  })
}

type Found = { agent: string; model: string | null; cost: CostReport; tasks: string[] }

function untold(agent: string): string {
  return `there is a budget, but ${agent} may not tell what it uses: what it does not tell counts as nothing, and every sum says \`+ unknown\``
}

function isUnpriced(task: Task, settings: Settings, agent: string, model: string | null): boolean {
  // A missing agent is reported elsewhere.
  if (agent === 'command' && settings.command === null) return false
  const { cost } = agentOf(task, settings, agent)
  if (cost === 'perhaps-unknown') return true
  if (cost === 'reported' || cost === 'reported-or-by-tokens') return false
  // Such an agent reports its model as soon as it is started: see attempt/watch/report-spending.ts.
  if (model === null) return cost !== 'reported-at-end'
  // `model: auto` chooses among models that all have a price.
  return model !== AUTO && priceOf(model, settings.prices) === null
}

function warning(agent: string, model: string | null, atEnd: boolean): string {
  const costs = `${agent} ${atEnd ? 'tells what it costs only when it ends' : 'does not tell what it costs'}`
  if (model === null)
    return `there is a budget, but ${costs}, and which model it uses is its own choice: what it spends may count as nothing. Name a model with \`model:\``
  if (modelsOf(agent)?.short.includes(model))
    return `there is a budget, but ${costs}, and which model ${model} means changes: if that one has no price, what it spends counts ${atEnd ? 'only then' : 'as nothing'}. Name the model in full with \`model:\``
  return `there is a budget, but ${costs}, and no price of the model ${model} is known: what it spends counts ${atEnd ? 'only then, and as nothing where it is ended before' : 'as nothing'}. ${givePrice(model)}`
}

const NAMED = 2
