// Which models the tasks of a plan ask for. A name that nobody knows is an error before anything starts: an agent that is
// started with it would fail, once for every task.
import type { Settings } from '../config.ts'
import { isKnownModel, NAMED, SHORT_NAMES, tierNames, tiersOf } from '../learning/tiers.ts'
import { type Problem, problem } from '../problem.ts'
import { agentsOf, type Plan } from '../task.ts'
import { AUTO, modelOf } from './agents-of-plan.ts'

export function checkModels(plan: Plan, settings: Settings): Problem[] {
  const asked = new Map<string, { agent: string; model: string; task: string }>()
  for (const task of plan.tasks)
    for (const agent of agentsOf(task.work)) {
      const model = modelOf(task, settings, agent)
      const key = JSON.stringify([agent, model])
      if (model !== null && !asked.has(key)) asked.set(key, { agent, model, task: task.id })
    }
  return [...asked.values()].flatMap(({ agent, model, task }) =>
    model === AUTO ? checkAuto(agent, task, settings) : checkName(agent, model, task, settings),
  )
}

function checkAuto(agent: string, task: string, settings: Settings): Problem[] {
  const { tiers, unpriced } = tiersOf(agent, settings)
  const place = `agents.${agent.replace(':', '.')}.tiers`
  if (unpriced.length > 0) {
    const names = unpriced.join(', ')
    const message = `\`model: auto\` (of ${task}) weighs models by their price, and nobody knows that of ${names}: say it under \`prices\` in .espalier/config.yaml, or leave it out of \`${place}\``
    return [problem(message)]
  }
  if (tiers.length > 0) return []
  const message = `\`model: auto\` (of ${task}) has no models of ${agent} to choose from: list them under \`${place}\` in .espalier/config.yaml, the cheapest first`
  return [
    problem(
      agent === 'command'
        ? `\`model: auto\` (of ${task}) is for agents that have models; \`command\` has none`
        : message,
    ),
  ]
}

function checkName(agent: string, model: string, task: string, settings: Settings): Problem[] {
  if (isKnownModel(agent, model, settings)) return []
  const known = [...tierNames(agent, settings), ...(SHORT_NAMES[agent] ?? []), NAMED[agent]?.like].join(', ')
  const message = `no model \`${model}\` (of ${task}) is known for ${agent}; known: ${known}. If it is right, list it under \`agents.${agent}.tiers\` in .espalier/config.yaml`
  return [problem(message)]
}
