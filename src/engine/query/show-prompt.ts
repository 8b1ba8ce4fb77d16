// The prompt of a task, from a plan before it runs, and from a run.
import { readFile } from 'node:fs/promises'
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import { taskPrompt } from '../../prompts/task-prompt.ts'
import { interruptedAttempt } from '../../scheduler/dispatch/interrupted.ts'
import { taskAt, unitAt } from '../../scheduler/graph.ts'
import { emptyState, type RunState, record, unitState } from '../../scheduler/state.ts'
import type { RunRecord } from '../../store/views.ts'
import { suggestion } from '../../text/nearest.ts'
import type { AttemptView } from '../../view.ts'
import { keptTemplates, readTemplates } from '../../workspace/prompt-templates.ts'
import { runAtWork } from '../../workspace/read-runs.ts'
import { attemptFolder, type StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readExpertise } from '../expertise/learner.ts'
import type { OpenRun } from '../open/check-before-run.ts'
import { limitsOf } from '../open/limits.ts'
import { readState } from '../open/replay-journal.ts'
import { keptOrigin, planFilesIn } from '../plan-file/kept-tasks.ts'
import { earlierFacts, promptFacts } from '../run/gather-prompt-content.ts'

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
  const expertise = await readExpertise(workspace, taskAt(state.graph, index.value), settings)
  if (!expertise.ok) return expertise
  const known = { ...facts, expertise: expertise.value }
  return ok(taskPrompt(found.value.templates, { ...known, earlier: null, conflict: null }))
}

/** `run`: default: the newest. `attempt`: default: the one that would come next. */
type WhichPrompt = { run?: string | undefined; task: string; attempt?: number | undefined }

export async function readPrompt(workspace: Workspace, which: WhichPrompt): Promise<Result<string>> {
  const found = await readRecord(workspace, which)
  if (!found.ok) return found
  const { run, state } = found.value
  const index = promptedTask(state, which.task, `run ${run.id}`)
  if (!index.ok) return index
  return which.attempt === undefined
    ? nextPrompt(workspace, found.value, index.value)
    : sentPrompt(workspace.folder, found.value, index.value, which.attempt)
}

type Found = { run: RunRecord; state: RunState }

async function readRecord(workspace: Workspace, which: WhichPrompt): Promise<Result<Found>> {
  const found = await workspace.read<Found | null>(null, async (store) => {
    const id = which.run ?? runAtWork(await store.runs(workspace.engine ? undefined : 1), workspace.engine)?.run
    return ok(id === undefined ? null : await readState(store, id))
  })
  if (!found.ok) return found
  if (found.value) return ok(found.value)
  return refuse(which.run === undefined ? 'there is no run yet' : `there is no run ${which.run}`)
}

function promptedTask(state: RunState, task: string, where: string): Result<number> {
  const index = state.graph.taskIndex.get(task)
  if (index === undefined)
    return refuse(`${where} has no task ${task}${suggestion(task, state.graph.taskIndex.keys())}`)
  if (state.graph.tasks[index]?.work.kind === 'prompt') return ok(index)
  return refuse(`${task} runs a shell command: only tasks with a \`prompt\` are given one`)
}

async function nextPrompt(workspace: Workspace, { run, state }: Found, index: number): Promise<Result<string>> {
  const kept = await workspace.read(null, async (store) => {
    const [templates, origin] = [await keptTemplates(store, run.id), await keptOrigin(store, run.id)]
    return templates.ok ? ok({ templates: templates.value, origin }) : templates
  })
  if (!kept.ok) return kept
  if (!kept.value) return refuse(`there is no run ${run.id}`)
  const { templates, origin } = kept.value
  const settings = { ...run.settings, claims: state.limits.claims }
  const planFiles = await planFilesIn(run.repo, origin, settings)
  const facts = promptFacts({ plan: run.currentPlan, state, settings, planFiles }, index)
  const { history } = record(state, index)
  const unit = unitAt(state.graph, state.graph.unitOf[index] ?? -1)
  const { head, resolves } = unitState(state, unit.index)
  const last = interruptedAttempt(state, unit, index)
  const base = last?.base ?? head ?? resolves?.commit ?? state.head
  const which = { folder: workspace.folder, run: run.id, state, index, attempt: history.length + 1, base }
  const earlier = await earlierFacts(which, last, secretValues(process.env))
  const conflict = resolves?.commit === base ? conflictPaths(history) : null
  const expertise = await readExpertise(workspace, taskAt(state.graph, index), settings)
  if (!expertise.ok) return expertise
  return ok(taskPrompt(templates, { ...facts, ...earlier, expertise: expertise.value, conflict }))
}

/** Paths in the journal. The engine asks git, which knows all of them. */
function conflictPaths(history: readonly AttemptView[]): string[] {
  return history.findLast(({ failure }) => failure?.reason === 'conflict' && failure.paths)?.failure?.paths ?? []
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
    return refuse(`${id} has had ${history.length === 1 ? '1 attempt' : `${history.length} attempts`}`)
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
