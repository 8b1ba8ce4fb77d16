// The prompt of a task, from a plan before it runs, and from a run.
import { readFile } from 'node:fs/promises'
import { LIMITS } from '../../config.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import { taskPrompt } from '../../prompts/task-prompt.ts'
import type { Templates } from '../../prompts/templates.ts'
import { interruptedAttempt } from '../../scheduler/dispatch/interrupted.ts'
import { taskAt, unitAt } from '../../scheduler/graph.ts'
import { emptyState, type RunState, record, unitState } from '../../scheduler/state.ts'
import type { RunRecord } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { count } from '../../text/figures.ts'
import { suggestion } from '../../text/nearest.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { keptTemplates, readTemplates } from '../../workspace/prompt-templates.ts'
import { readKnownRun } from '../../workspace/read-runs.ts'
import { attemptFolder, type StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readExpertise } from '../expertise/learner.ts'
import type { OpenRun } from '../open/check-before-run.ts'
import { limitsOf } from '../open/limits.ts'
import { readState } from '../open/replay-journal.ts'
import { loadOrigin, planFilesIn } from '../plan-file/saved-tasks.ts'
import { earlierFacts, promptFacts } from '../run/make-attempt-order.ts'

/** Prompt of the first attempt of a task. Changes of its needs are not known yet. */
export async function previewPrompt(
  workspace: Workspace,
  of: Pick<OpenRun, 'plan' | 'settings' | 'origin'> & { task: string },
): Promise<Result<string>> {
  const { plan, settings } = of
  const state = emptyState(plan, limitsOf(settings))
  const index = promptedTask(state, of.task, 'the plan')
  if (!index.ok) return index
  const found = await readTemplates(workspace.repo)
  if (!found.ok) return found
  const planFiles = await planFilesIn(workspace.repo, of.origin ?? null, settings)
  const facts = promptFacts({ plan, state, settings, planFiles }, index.value)
  const known = await readExpertise(workspace, taskAt(state.graph, index.value), settings)
  return mapped(known, (expertise) =>
    taskPrompt(found.value.templates, { ...facts, expertise, earlier: null, conflict: null }),
  )
}

/** `run`: default: the newest. `attempt`: default: the one that would come next. */
export async function readPrompt(
  workspace: Workspace,
  which: { run?: string | undefined; task: string; attempt?: number | undefined },
): Promise<Result<string>> {
  const known = await readKnownRun(workspace, which)
  if (!known.ok) return known
  const { run: id } = known.value
  const found = await workspace.read<Found | null>(null, async (store) => {
    const templates = await keptTemplates(store, id)
    if (!templates.ok) return templates
    const [read, origin] = [await readState(store, id), await loadOrigin(store, id)]
    return ok(read && { ...read, templates: templates.value, origin })
  })
  if (!found.ok) return found
  if (!found.value) return refuse(`there is no run ${id}`)
  const index = promptedTask(found.value.state, which.task, `run ${id}`)
  if (!index.ok) return index
  return which.attempt === undefined
    ? nextPrompt(workspace, found.value, index.value)
    : sentPrompt(workspace.folder, found.value, index.value, which.attempt)
}

type Found = { run: RunRecord; plan: Plan; state: RunState; templates: Templates; origin: PlanFileTasks | null }

function promptedTask(state: RunState, task: string, where: string): Result<number> {
  const index = state.graph.taskIndex.get(task)
  if (index === undefined)
    return refuse(`${where} has no task ${task}${suggestion(task, state.graph.taskIndex.keys())}`)
  if (state.graph.tasks[index]?.work.kind === 'prompt') return ok(index)
  return refuse(`${task} runs a shell command: only tasks with a \`prompt\` are given one`)
}

async function nextPrompt(
  workspace: Workspace,
  { run, plan, state, templates, origin }: Found,
  index: number,
): Promise<Result<string>> {
  const settings = { ...run.settings, claims: state.limits.claims }
  const planFiles = await planFilesIn(run.repo, origin, settings)
  const facts = promptFacts({ plan, state, settings, planFiles }, index)
  const { history } = record(state, index)
  const unit = unitAt(state.graph, state.graph.unitOf[index] ?? -1)
  const { head, resolves } = unitState(state, unit.index)
  const last = interruptedAttempt(state, unit, index)
  const base = last?.base ?? head ?? resolves?.commit ?? state.head
  const which = { folder: workspace.folder, run: run.id, state, index, attempt: history.length + 1, base }
  const earlier = await earlierFacts(which, last, secretValues(process.env))
  // Paths in the journal. The engine asks git, which knows all of them.
  const inConflict = history.findLast(({ failure }) => failure?.reason === 'conflict' && failure.paths)
  const conflict = resolves?.commit === base ? (inConflict?.failure?.paths ?? []) : null
  const known = await readExpertise(workspace, taskAt(state.graph, index), settings)
  return mapped(known, (expertise) => taskPrompt(templates, { ...facts, ...earlier, expertise, conflict }))
}

/** The prompt as sent, followed by those of later iterations. */
async function sentPrompt(
  folder: StateFolder,
  { run, state }: Found,
  index: number,
  attempt: number,
): Promise<Result<string>> {
  const id = state.graph.tasks[index]?.id ?? ''
  const { history } = record(state, index)
  if (!history.some((view) => view.attempt === attempt))
    return refuse(`${id} has had ${count(history.length, 'attempt')}`)
  const { iteration } = attemptFolder(folder, run.id, id, attempt)
  const first = await readFile(iteration(1).promptFile, 'utf8').catch(() => null)
  if (first === null) return refuse(`attempt ${attempt} of ${id} has no prompt: its agent was not started`)
  const told = [first]
  for (let number = 2; number <= LIMITS.iterations; number++) {
    const more = await readFile(iteration(number).promptFile, 'utf8').catch(() => null)
    if (more === null) break
    told.push(`── iteration ${number} ──\n${more}`)
  }
  return ok(told.join('\n'))
}
