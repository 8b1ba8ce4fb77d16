// `espalier plan new`, and `plan convert --agent`: a run of one task in a repository of its own that borrows the user's
// objects. Nothing appears in theirs, also while a run is active. Its check is the reader of plans, and the problems go back to
// the agent. Only the text is kept (engine/upkeep/leftovers-of-killed-engine.ts).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WAYS_TO_NAME_AN_AGENT } from '../../agents/agents-by-name.ts'
import { LIMITS, type Settings } from '../../config.ts'
import { programCommand } from '../../files/package-file.ts'
import { borrowRepository } from '../../git/engine/engine-repository.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { mapped, type Result, refuse } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import type { Templates } from '../../prompts/templates.ts'
import { safeText } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { readPlan } from '../../workloads/plan/read.ts'
import { checkPlace, unlessUnwritable } from '../../workspace/check-state-folder.ts'
import { readTemplates } from '../../workspace/prompt-templates.ts'
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts'
import { openRun } from '../open/open-run.ts'
import type { Run } from '../run/run.ts'
import { clearPlanning, type PlanningPlace, planningPlace } from '../upkeep/leftovers-of-killed-engine.ts'
import type { NewPlanCheck } from './check-new-plan.ts'

export type NewPlan = {
  objective: string
  files?: readonly { file: string; text: string }[]
  settings: Settings
  /** Settings below the plan that is made: it is read with them. */
  below: Settings
  /** Null: the agent's own choice. */
  model: string | null
  environment?: NodeJS.ProcessEnv | undefined
}

/** Nothing runs yet: execute `run`, ask for the text, and dispose of it. */
type Planning = AsyncDisposable & {
  run: Run
  file: string
  /** The plan as last checked, valid or not; null: the agent has written none. */
  text(): Promise<string | null>
}

export async function openPlanning(workspace: Workspace, options: NewPlan): Promise<Result<Planning>> {
  const objective = safeText(options.objective).trim()
  if (objective === '') return refuse('the objective is empty: say what you want to reach')
  if (objective.length > LIMITS.promptChars)
    return refuse(`the objective has ${objective.length} characters, and ${LIMITS.promptChars} are allowed: shorten it`)
  const files = materialOf(options.files ?? [])
  if (files.length > LIMITS.convertedChars)
    return refuse(`it has ${files.length} characters, and ${LIMITS.convertedChars} are allowed: convert a part of it`)
  const { agent, command, graceMs } = options.settings
  if (agent === 'command' && command === null)
    return refuse(
      `there is no agent to make the plan: ${WAYS_TO_NAME_AN_AGENT}; in .espalier/config.yaml it is \`agent:\` and \`command:\``,
    )
  const user = await workspace.user()
  if (!user.ok) return user
  const { folder } = workspace
  const problems = await checkPlace(user.value, folder)
  if (problems.length > 0) return { ok: false, problems }
  const prompts = await readTemplates(user.value.top)
  if (!prompts.ok) return prompts
  const { templates } = prompts.value
  if (!templates.fill('plan', { objective, files, file: ANSWER, check: '' }).includes(files))
    return refuse('.espalier/prompts/plan.md does not put in `{{files}}`, so the agent would not see the plan: add it')
  return unlessUnwritable(folder, async () => {
    await mkdir(folder.planning, { recursive: true, mode: 0o700 })
    const place = planningPlace(folder)
    const locked = await acquireLock(place.lock, 'plan new')
    if (!locked.ok)
      return refuse(
        `another \`espalier plan new\` is running here${locked.holder ? ` (process ${locked.holder.pid})` : ''}: wait until it ends`,
      )
    const close = async () => {
      await clearPlanning(place, graceMs)
      await locked.lock[Symbol.asyncDispose]()
    }
    let isKept = false
    try {
      await clearPlanning(place, graceMs)
      const opened = await openIn(place, user.value, templates, { ...options, objective, material: files })
      isKept = opened.ok
      return mapped(opened, (run) => ({
        run,
        file: ANSWER,
        text: () => readFile(place.answer, 'utf8').catch(() => null),
        async [Symbol.asyncDispose]() {
          await run[Symbol.asyncDispose]()
          await close()
        },
      }))
    } finally {
      if (!isKept) await close()
    }
  })
}

async function openIn(
  place: PlanningPlace,
  user: UserRepository,
  templates: Templates,
  { objective, material, settings, below, model, environment }: NewPlan & { material: string },
): Promise<Result<Run>> {
  const prompts = join(place.repository, '.espalier', 'prompts')
  await mkdir(prompts, { recursive: true, mode: 0o700 })
  await borrowRepository(user, place.repository)
  // The agent gets only the text of plan.md: the usual frame is about work that lands.
  await writeFile(join(prompts, 'task.md'), '{{prompt}}\n')
  const spec: NewPlanCheck = { file: ANSWER, copy: place.answer, settings: below }
  await writeFile(place.spec, JSON.stringify(spec), { mode: 0o600 })
  const check = `${programCommand('plan-check').map(shellWord).join(' ')} ${shellWord(place.spec)}`
  const prompt = templates.fill('plan', { objective, files: material, file: ANSWER, check })
  const task = { id: 'plan', title: 'Make a plan', prompt, verify: [check], iterations: LIMITS.planIterations }
  const { budgetUsd } = settings
  const optional = { ...(model === null ? {} : { model }), ...(budgetUsd === null ? {} : { budgetUsd }) }
  const written = { name: 'planning', tasks: [{ ...task, land: false, retries: 0, ...optional }] }
  const own = planningSettings(settings, place.state)
  const read = readPlan(JSON.stringify(written), 'planning.json', own)
  if (!read.ok) return read
  const workspace = await openWorkspace({ repo: place.repository, stateDir: place.state })
  return workspace.ok ? openRun(workspace.value, { plan: read.value.plan, settings: own, environment }) : workspace
}

function materialOf(files: NonNullable<NewPlan['files']>): string {
  if (files.length < 2) return safeText(files[0]?.text ?? '').trim()
  return files.map(({ file, text }) => `### ${safeText(file)}\n\n${safeText(text).trim()}`).join('\n\n')
}

/** It lands, builds and teaches nothing. Its budget is that of the task, which ends when it is used up. */
function planningSettings(settings: Settings, stateDir: string): Settings {
  return {
    ...settings,
    ...{ stateDir, maxConcurrency: 1, setup: [], mcp: false, claims: 'warn', budgetUsd: null },
    landing: { ...settings.landing, verify: [] },
    learning: { ...settings.learning, enabled: false },
  }
}

const ANSWER = 'espalier-plan.yaml'
