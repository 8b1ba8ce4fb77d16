// Reads a plan file and puts it between the settings below and above it.
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type LayerSettings, type ResolvedSettings, resolveSettings, type Settings } from '../config.ts'
import { AGENT_NAMES, type PlanOrigin, planOrigin, type ReadPlan, readPlanFiles } from '../index.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { DEFAULT_PLAN } from './default-plan.ts'
import { type PlanTexts, readPlanTexts } from './plan-texts.ts'
import type { Layers } from './settings-layers.ts'
import type { Surroundings } from './surroundings.ts'

export type FormatFlags = { format?: string; part?: string; batches?: string }

type LoadedPlan = ResolvedSettings &
  Pick<ReadPlan, 'plan' | 'warnings' | 'source'> & { path: string | null; fileOrigin: PlanOrigin | null }

export async function loadPlan(
  named: string | readonly string[] | undefined,
  layers: Layers,
  around: Surroundings,
  repo: string,
  flags: FormatFlags = {},
): Promise<Result<LoadedPlan>> {
  const asked = [named ?? []].flat()
  const texts = await planTexts(asked, around.cwd, repo)
  if (!texts.ok) return texts
  const { name, path, files } = texts.value
  const { belowPlan, abovePlan } = layers
  const overrule: LayerSettings = Object.assign({}, ...abovePlan.map((layer) => layer.settings))
  const { settings: below } = resolveSettings(belowPlan)
  const read = readPlanFiles(files, name, below, { overrule, agents: knownAgents(below), ...sourceOptions(flags) })
  if (!read.ok) return read
  const { settings, ...rest } = read.value
  const resolved = resolveSettings([...belowPlan, { from: name, settings }, ...abovePlan])
  return ok({ ...rest, path, fileOrigin: originOf(read.value, files, around.cwd, flags), ...resolved })
}

/** What the files say now, for whoever writes into them later; null where their format carries no status. */
export function originOf(
  { source }: Pick<ReadPlan, 'source'>,
  files: PlanTexts['files'],
  cwd: string,
  flags: FormatFlags,
): PlanOrigin | null {
  const whole = files.map(({ file, text }) => ({ file: resolve(cwd, file), text }))
  return planOrigin(source, whole, sourceOptions(flags).part ?? null)
}

/** Whoever names batches has a plan that has some. */
export function sourceOptions({ format, part, batches }: FormatFlags) {
  return batches === undefined ? { format, part } : { format: format ?? 'batch-plan', part: batches }
}

/** The names a plan can give its tasks' agents. */
export function knownAgents({ agents }: Settings): string[] {
  return [...AGENT_NAMES, ...Object.keys(agents.acp).map((acp) => `acp:${acp}`)]
}

async function planTexts(asked: readonly string[], cwd: string, repo: string): Promise<Result<PlanTexts>> {
  if (asked.length > 0) return readPlanTexts(asked, cwd)
  const name = defaultPlan(cwd, repo)
  if (existsSync(resolve(cwd, name))) return readPlanTexts([name], cwd)
  return refuse(
    `there is no ${name} here or at the top of the repository: name a plan, or write one with \`espalier init\``,
  )
}

/** Whether there is one to use where none is named. */
export function hasDefaultPlan({ cwd }: Surroundings, repo: string): boolean {
  return existsSync(resolve(cwd, defaultPlan(cwd, repo)))
}

/** The one in this folder, or else the one at the top of the repository. */
function defaultPlan(cwd: string, repo: string): string {
  const atTop = join(repo, DEFAULT_PLAN)
  return !existsSync(resolve(cwd, DEFAULT_PLAN)) && existsSync(atTop) ? relative(cwd, atTop) : DEFAULT_PLAN
}
