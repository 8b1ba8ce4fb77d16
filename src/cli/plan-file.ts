// Reads a plan file and puts it between the settings below and above it.
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { type LayerSettings, LIMITS, type ResolvedSettings, resolveSettings } from '../config.ts'
import { AGENT_NAMES, readPlan } from '../index.ts'
import { ok, type Problem, problem, type Result, refuse } from '../problem.ts'
import type { Plan } from '../task.ts'
import { DEFAULT_PLAN } from './default-plan.ts'
import type { Layers } from './settings-layers.ts'
import type { Surroundings } from './surroundings.ts'

type LoadedPlan = ResolvedSettings & { plan: Plan; path: string; warnings: Problem[] }

export async function loadPlan(
  file: string | undefined,
  layers: Layers,
  around: Surroundings,
  repo: string,
): Promise<Result<LoadedPlan>> {
  const name = file ?? defaultPlan(around.cwd, repo)
  const path = resolve(around.cwd, name)
  const text = await readText(path, name, file === undefined)
  if (!text.ok) return text
  const { belowPlan, abovePlan } = layers
  const overrule: LayerSettings = Object.assign({}, ...abovePlan.map((layer) => layer.settings))
  const { settings: below } = resolveSettings(belowPlan)
  const agents = [...AGENT_NAMES, ...Object.keys(below.agents.acp).map((acp) => `acp:${acp}`)]
  const read = readPlan(text.value, name, below, { overrule, agents })
  if (!read.ok) return read
  const { plan, settings, warnings } = read.value
  const resolved = resolveSettings([...belowPlan, { from: name, settings }, ...abovePlan])
  return ok({ plan, warnings, path, ...resolved })
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

async function readText(path: string, name: string, isDefault: boolean): Promise<Result<string>> {
  try {
    const { size } = await stat(path)
    if (size > LIMITS.planBytes) {
      return refuse(problem(`is ${size >> 20} MB; a plan may have ${LIMITS.planBytes >> 20} MB`, { file: name }))
    }
    return ok(await readFile(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EISDIR') return refuse(problem('is a folder: name the file of the plan', { file: name }))
    if (code !== 'ENOENT') return refuse(problem(`cannot be read: ${message}`, { file: name }))
    if (isDefault)
      return refuse(
        `there is no ${name} here or at the top of the repository: name a plan, or write one with \`espalier init\``,
      )
    return refuse(problem('no such file', { file: name }))
  }
}
