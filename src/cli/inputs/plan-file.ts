// Reads a plan file and puts it between the settings below and above it.
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type LayerSettings, resolveSettings } from '../../config.ts'
import type { OpenRun } from '../../engine/open/check-before-run.ts'
import { planLimits } from '../../engine/open/limits.ts'
import { type PlanTexts, readPlanTexts } from '../../engine/open/plan-texts.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import type { Plan } from '../../task.ts'
import { planFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { type ReadPlan, readPlanFiles } from '../../workloads/plan/read.ts'
import type { Surroundings } from '../surroundings.ts'
import { DEFAULT_PLAN, listed, onlyPlanIn, plansIn } from './find-plans.ts'
import type { InRepository } from './repository.ts'
import type { Layers } from './settings-layers.ts'

export type FormatFlags = { format?: string; part?: string }

/** Input for `openRun`, and warnings and remarks about reading the plan. */
export type LoadedPlan = Pick<OpenRun, 'plan' | 'settings' | 'planLimits' | 'onlyAgent'> &
  Pick<ReadPlan, 'warnings' | 'source'> & {
    planFile: string | undefined
    /** Null for formats without statuses. */
    origin: ReturnType<typeof planFileTasks>
    /** Name of the layer that each setting comes from. */
    settingsFrom: Record<string, string>
  }

export async function loadPlan(
  named: readonly string[],
  flags: FormatFlags,
  { layers, repo, cwd }: Pick<InRepository, 'layers' | 'repo' | 'cwd'>,
): Promise<Result<LoadedPlan>> {
  const texts = await planTexts(named, cwd, repo, flags.format)
  if (!texts.ok) return texts
  const { name, path, files } = texts.value
  const { belowPlan, abovePlan } = layers
  const overrule = overruleOf(layers)
  const { settings: below } = resolveSettings(belowPlan)
  const { format, part } = flags
  const read = readPlanFiles(files, name, below, { overrule, folder: cwd, format, part })
  if (!read.ok) return read
  const { plan, source, settings: ofPlan } = read.value
  const { settings, origin: settingsFrom } = resolveSettings([
    ...belowPlan,
    { from: name, settings: ofPlan },
    ...abovePlan,
  ])
  const warnings = [...read.value.warnings, ...unusedAgent(plan, layers)]
  const origin = planFileTasks(source, files, part ?? null, cwd)
  const ofRun = { plan, settings, planFile: path ?? undefined, origin, planLimits: planLimits(ofPlan) }
  return ok({ ...ofRun, onlyAgent: overrule.agent, warnings, source, settingsFrom })
}

/** Warns about an agent flag for a plan without prompts. */
function unusedAgent({ tasks }: Plan, { abovePlan }: Layers): Problem[] {
  const { agent, command } = abovePlan.find(({ from }) => from === 'flag')?.settings ?? {}
  if (agent === undefined || tasks.length === 0 || tasks.some(({ work }) => work.kind === 'prompt')) return []
  const flag = command === undefined ? '--agent' : '--command'
  const message = `${flag} has no effect: no task of this plan has a \`prompt\`, all are shell commands (\`run\`)`
  return [problem(message, { severity: 'warning' })]
}

export function overruleOf({ abovePlan }: Layers): LayerSettings {
  return Object.assign({}, ...abovePlan.map((layer) => layer.settings))
}

async function planTexts(
  asked: readonly string[],
  cwd: string,
  repo: string,
  format: string | undefined,
): Promise<Result<PlanTexts>> {
  const [only] = asked
  if (only !== undefined && asked.length === 1 && isFolder(resolve(cwd, only))) return onlyPlanIn(only, cwd, format)
  if (asked.length > 0) return readPlanTexts(asked, cwd)
  const name = defaultPlan(cwd, repo)
  if (existsSync(resolve(cwd, name))) return readPlanTexts([name], cwd)
  const others = await plansIn(relative(cwd, repo) || '.', cwd, format)
  const missing = `there is no ${name} here or at the top of the repository: `
  if (others.length > 0) return refuse(`${missing}name one of the plans there are\n${listed(others)}`)
  return refuse(`${missing}name a plan, or write one with \`espalier init\``)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function hasDefaultPlan({ cwd }: Surroundings, repo: string): boolean {
  return existsSync(resolve(cwd, defaultPlan(cwd, repo)))
}

function defaultPlan(cwd: string, repo: string): string {
  const atTop = join(repo, DEFAULT_PLAN)
  return !existsSync(resolve(cwd, DEFAULT_PLAN)) && existsSync(atTop) ? relative(cwd, atTop) : DEFAULT_PLAN
}
