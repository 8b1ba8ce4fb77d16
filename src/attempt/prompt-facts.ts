// What the plan and the journal know of a task, for its prompt.
import { takesMcp } from '../agents/mcp-server.ts'
import { LIMITS, type Settings } from '../config.ts'
import type { NeedFacts, PromptFacts } from '../prompts/facts.ts'
import { taskAt } from '../scheduler/graph.ts'
import { indexOf, type RunState } from '../scheduler/state.ts'
import { taskView } from '../scheduler/view.ts'
import type { Plan } from '../task.ts'

/** All of it but what earlier attempts have left, and what was learned from others. */
export type KnownFacts = Omit<PromptFacts, 'earlier' | 'conflict'>

type Known = {
  plan: Pick<Plan, 'objective' | 'epics'>
  state: RunState
  settings: Settings
  planFiles: readonly string[]
}

/** `chosen`: which of the task's agents; by default the preferred one. */
export function promptFacts({ plan, state, settings, planFiles }: Known, index: number, chosen?: string): KnownFacts {
  const task = taskAt(state.graph, index)
  const agent = chosen ?? (task.work.kind === 'prompt' ? task.work.agent : '')
  const needs = task.needs.slice(0, LIMITS.promptNeeds).map((id) => needFacts(state, id))
  return {
    task,
    prompt: task.work.kind === 'prompt' ? task.work.prompt : '',
    epic: plan.epics.find(({ id }) => id === task.epic)?.title ?? task.epic,
    objective: plan.objective ?? null,
    claims: settings.claims,
    landingVerify: task.land ? settings.landing.verify : [],
    needs: { listed: needs, count: task.needs.length },
    expertise: [],
    planFiles,
    mcp: settings.mcp && takesMcp(agent),
  }
}

function needFacts(state: RunState, id: string): NeedFacts {
  const { title, landedCommit, history } = taskView(state, indexOf(state, id))
  const last = history.at(-1)
  return {
    id,
    title,
    summary: last?.summary ?? null,
    touched: last?.touched ?? null,
    commit: landedCommit ?? last?.commit ?? null,
  }
}
