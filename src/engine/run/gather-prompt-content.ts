// Facts for the prompt of an attempt: from the plan, the journal and earlier attempts.
import { takesMcp } from '../../agents/mcp-server.ts'
import { LIMITS } from '../../config.ts'
import { keptText } from '../../process/secrets.ts'
import { readTail } from '../../process/supervise/output.ts'
import type { Earlier, NeedFacts, PromptFacts } from '../../prompts/facts.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { indexOf, type RunState, record, unitState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { Plan } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { attemptFolder, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'
import type { RunContext } from './run-context.ts'

type Known = Pick<RunContext, 'state' | 'settings' | 'planFiles'> & { plan: Pick<Plan, 'objective' | 'epics'> }

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
 * What earlier attempts leave for the prompt of this one: the last failed try, and the interrupted attempt that it continues, each
 * with the end of its output. For a resolution only tries to resolve the same conflict count: it says all about the work.
 */
export async function earlierFacts(
  { folder, run, state, index, attempt, base }: Which,
  continued: Pick<AttemptView, 'attempt' | 'commit'> | null,
  secrets: readonly string[],
): Promise<Pick<PromptFacts, 'earlier' | 'interrupted'>> {
  const { resolves } = unitState(state, state.graph.unitOf[index] as number)
  const { history } = record(state, index)
  const endOf = async (view: AttemptView | undefined): Promise<Earlier | null> => {
    if (!view?.failure) return null
    const { work } = newestIteration(attemptFolder(folder, run, taskAt(state.graph, index).id, view.attempt))
    const outputTail = keptText(await readTail(work, OUTPUT_BYTES), secrets)
    return { attempt: view.attempt, failure: view.failure, outputTail }
  }
  const failed = history.findLast(
    (view) =>
      view.attempt < attempt &&
      view.failure !== null &&
      view.countsAsTry !== false &&
      (resolves?.commit !== base || view.base === base),
  )
  const earlier = failed?.attempt === continued?.attempt ? null : await endOf(failed)
  const ended = continued && (await endOf(history.find((view) => view.attempt === continued.attempt)))
  return { earlier, interrupted: ended && { ...ended, hasWork: continued?.commit !== null } }
}

const OUTPUT_BYTES = 4_000
