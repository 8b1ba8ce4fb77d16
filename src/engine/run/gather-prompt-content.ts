// Facts for the prompt of an attempt: from the plan, the journal and earlier attempts.
import { takesMcp } from '../../agents/mcp-server.ts'
import { LIMITS, type Settings } from '../../config.ts'
import { readTail } from '../../process/supervise/output.ts'
import type { Earlier, NeedFacts, PromptFacts } from '../../prompts/facts.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { indexOf, type RunState, record, unitState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { Plan } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { attemptFolder, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'

type Known = {
  plan: Pick<Plan, 'objective' | 'epics'>
  state: RunState
  settings: Settings
  planFiles: readonly string[]
}

/** All facts except those of earlier attempts and lessons. `chosen`: which of the task's agents. */
export function promptFacts(
  { plan, state, settings, planFiles }: Known,
  index: number,
  chosen?: string,
): Omit<PromptFacts, 'earlier' | 'conflict' | 'expertise'> {
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

type Which = { folder: StateFolder; run: string; state: RunState; index: number; attempt: number; base: string }

/**
 * The last failed try before this attempt, with the end of its output. For a resolution only tries to resolve the same conflict
 * count: it says all about the work.
 */
export async function earlierFailure({ folder, run, state, index, attempt, base }: Which): Promise<Earlier | null> {
  const { resolves } = unitState(state, state.graph.unitOf[index] as number)
  const isFailedTry = (view: AttemptView) =>
    view.attempt < attempt && view.failure !== null && view.countsAsTry !== false
  const last = record(state, index)
    .history.filter((view) => resolves?.commit !== base || view.base === base)
    .findLast(isFailedTry)
  if (!last?.failure) return null
  const { work } = newestIteration(attemptFolder(folder, run, taskAt(state.graph, index).id, last.attempt))
  return { attempt: last.attempt, failure: last.failure, outputTail: await readTail(work, OUTPUT_BYTES) }
}

/** The end of an interrupted attempt. */
export async function attemptEnd({ folder, run, state, index, attempt }: Omit<Which, 'base'>): Promise<Earlier | null> {
  const failure = record(state, index).history.find((view) => view.attempt === attempt)?.failure
  if (!failure) return null
  const { work } = newestIteration(attemptFolder(folder, run, taskAt(state.graph, index).id, attempt))
  return { attempt, failure, outputTail: await readTail(work, OUTPUT_BYTES) }
}

const OUTPUT_BYTES = 4_000
