// Reads a plan file and puts it between the settings below and above it.
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type LayerSettings, type ResolvedSettings, resolveSettings, type Settings } from '../../config.ts'
import { type PlanTexts, readPlanTexts } from '../../engine/plan-file/plan-texts.ts'
import type { Plan, Problem, ReadPlan } from '../../index.ts'
import {
  agentNames,
  checkMeans,
  type PlanLimits,
  type PlanOrigin,
  planLimits,
  planOrigin,
  readPlanFiles,
} from '../../internal.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Surroundings } from '../surroundings.ts'
import { DEFAULT_PLAN, listed, onlyPlanIn, plansIn } from './find-plans.ts'
import type { Layers } from './settings-layers.ts'

export type FormatFlags = { format?: string; part?: string }

export type LoadedPlan = ResolvedSettings &
  Pick<ReadPlan, 'plan' | 'warnings' | 'source'> & {
    path: string | null
    fileOrigin: PlanOrigin | null
    /** What the plan itself says. */
    limits: PlanLimits
  }

export async function loadPlan(
  named: string | readonly string[] | undefined,
  layers: Layers,
  surroundings: Surroundings,
  repo: string,
  flags: FormatFlags = {},
): Promise<Result<LoadedPlan>> {
  const asked = [named ?? []].flat()
  const texts = await planTexts(asked, surroundings.cwd, repo, sourceOptions(flags).format)
  if (!texts.ok) return texts
  const { name, path, files } = texts.value
  const { belowPlan, abovePlan } = layers
  const overrule = overruleOf(layers)
  const { settings: below } = resolveSettings(belowPlan)
  const options = { overrule, agents: agentNames(below), folder: surroundings.cwd, ...sourceOptions(flags) }
  const read = readPlanFiles(files, name, below, options)
  if (!read.ok) return read
  const { settings, ...rest } = read.value
  const resolved = resolveSettings([...belowPlan, { from: name, settings }, ...abovePlan])
  const fileOrigin = originOf(read.value, files, surroundings.cwd, flags)
  return ok({ ...rest, path, fileOrigin, limits: planLimits(settings), ...resolved })
}

export function overruleOf({ abovePlan }: Layers): LayerSettings {
  return Object.assign({}, ...abovePlan.map((layer) => layer.settings))
}

/** The files as they are now, for writing statuses later; null for formats without statuses. */
export function originOf(
  { source }: Pick<ReadPlan, 'source'>,
  files: PlanTexts['files'],
  cwd: string,
  flags: FormatFlags,
): PlanOrigin | null {
  const whole = files.map(({ file, text }) => ({ file: resolve(cwd, file), text }))
  return planOrigin(source, whole, sourceOptions(flags).part ?? null)
}

export function sourceOptions({ format, part }: FormatFlags) {
  return { format, part }
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

/** In this folder, or at the top of the repository. */
function defaultPlan(cwd: string, repo: string): string {
  const atTop = join(repo, DEFAULT_PLAN)
  return !existsSync(resolve(cwd, DEFAULT_PLAN)) && existsSync(atTop) ? relative(cwd, atTop) : DEFAULT_PLAN
}

/** Warnings: an agent can still be named by a flag, or installed. */
export function lackingMeans(plan: Plan, settings: Settings, environment?: NodeJS.ProcessEnv): Problem[] {
  return checkMeans(plan, settings, environment).map((one): Problem => ({ ...one, severity: 'warning' }))
}
