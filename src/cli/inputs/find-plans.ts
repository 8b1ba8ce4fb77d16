// Finds the plans in a folder: its own files, and the usual places of tools that make plans. So `espalier run .` is enough
// in a project with one plan.

import { basename, dirname, join, relative, resolve } from 'node:path'
import { DEFAULT_SETTINGS, LIMITS } from '../../config.ts'
import { type PlanTexts, readPlanTexts } from '../../engine/open/plan-texts.ts'
import { namesIn } from '../../files/if-there.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { firstNames } from '../../text/name-list.ts'
import { readPlanFiles } from '../../workloads/plan/read.ts'
import { plansAmong } from '../../workloads/plan/translate-format.ts'
import type { InRepository } from './repository.ts'

/** The plan that `run` reads and `init` writes by default. */
export const DEFAULT_PLAN = 'espalier.yaml'

/** Paths of plans in a project; `*` stands for a part of one name. */
const PLACES = [
  DEFAULT_PLAN,
  '.taskmaster/tasks/tasks.json',
  'tasks/tasks.json',
  'implementation_plan.json',
  '.auto-claude/specs/*/implementation_plan.json',
  'specs/*/implementation_plan.json',
  'specs/*/tasks.md',
  '.specify/specs/*/tasks.md',
  '.beads/*.jsonl',
  '.planning/phases/*',
  '.claude/epics/*',
  'docs/plans/*.md',
]

/** A plan found in a folder, with the texts of its files. */
type FoundPlan = { name: string; title: string; files: PlanTexts['files'] }

export async function onlyPlanIn(folder: string, cwd: string, format: string | undefined): Promise<Result<PlanTexts>> {
  const plans = withWork(await plansIn(folder, cwd, format))
  const [only] = plans
  if (only && plans.length === 1) return readPlanTexts([only.name], cwd)
  const place = { file: folder }
  if (!only) {
    const places = [...new Set(PLACES.flatMap((place) => place.split(/\/(?=[^/]*\*|[^/]*$)/, 1)))].slice(1).join(', ')
    return refuse(problem(`there is no plan in this folder, nor where tools put theirs: ${places}`, place))
  }
  return refuse(problem(`there are ${plans.length} plans in this folder: name one\n${listed(plans)}`, place))
}

/** The plan of a spec of Auto Claude: `001` stands for `.auto-claude/specs/001-…`. */
export function planOfSpec(spec: string, { repo, cwd }: Pick<InRepository, 'repo' | 'cwd'>): Result<string[]> {
  const top = relative(cwd, repo) || '.'
  const specs = (name: string) => matching(top, [...SPECS, name, 'implementation_plan.json'], cwd)
  const found = [...specs(spec), ...specs(`${spec}-*`)]
  if (found.length === 1) return ok(found)
  const all = specs('*').map((file) => basename(dirname(file)))
  const there = all.length === 0 ? 'there is none' : `there are ${firstNames(all, SHOWN)}`
  const wrong = found.length === 0 ? 'names no plan' : `names ${found.length} plans`
  return refuse(`--spec ${spec} ${wrong} in ${SPECS.join('/')}: ${there}`)
}

const SPECS = ['.auto-claude', 'specs']

export function listed(plans: readonly Pick<FoundPlan, 'name' | 'title'>[]): string {
  const shown = plans.slice(0, SHOWN)
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`)
  return [...lines, ...(plans.length > SHOWN ? [`  … and ${plans.length - SHOWN} more`] : [])].join('\n')
}

const SHOWN = 20

/** Keeps only plans with open tasks, if there are any: projects keep finished plans. */
function withWork(plans: FoundPlan[]): FoundPlan[] {
  if (plans.length < 2) return plans
  const open = plans.filter(({ name, files }) => {
    const read = readPlanFiles(files, name, DEFAULT_SETTINGS)
    return !read.ok || read.value.plan.tasks.length > 0
  })
  return open.length > 0 ? open : plans
}

/** Lists each plan once, by its name for the command line. */
export async function plansIn(folder: string, cwd: string, format: string | undefined): Promise<FoundPlan[]> {
  const found = new Map<string, FoundPlan>()
  for (const { name, isCertain } of [{ name: folder, isCertain: false }, ...placesIn(folder, cwd)]) {
    const texts = await readPlanTexts([name], cwd)
    if (!texts.ok) continue
    const { files } = texts.value
    const plans = plansAmong(files, name, format)
    if (plans.length === 0 && isCertain) plans.push({ name, title: 'not recognised' })
    for (const plan of plans) {
      const path = resolve(cwd, plan.name)
      const own = files.filter(({ file }) => plan.name === name || file === plan.name)
      if (!found.has(path)) found.set(path, { ...plan, files: own })
    }
  }
  return [...found.values()]
}

/** `isCertain`: a file with this path is a plan, even if it is broken. */
type Place = { name: string; isCertain: boolean }

/** Matches also if the folder itself is part of such a path, like `specs`. */
function placesIn(folder: string, cwd: string): Place[] {
  const called = basename(resolve(cwd, folder))
  return PLACES.flatMap((place) => {
    const parts = place.split('/')
    const isCertain = !parts.at(-1)?.includes('*')
    const below = parts.flatMap((part, i) => (part === called ? [parts.slice(i + 1)] : []))
    const ways = [parts, ...below].filter(({ length }) => length > 0)
    return ways.flatMap((way) => matching(folder, way, cwd)).map((name) => ({ name, isCertain }))
  })
}

function matching(folder: string, [part, ...rest]: readonly string[], cwd: string): string[] {
  if (part === undefined) return [folder]
  const [before = '', after] = part.split('*')
  const fits = (name: string) => (after === undefined ? name === part : name.startsWith(before) && name.endsWith(after))
  const names = namesIn(resolve(cwd, folder)).sort().slice(0, LIMITS.planFiles)
  return names.filter(fits).flatMap((name) => matching(join(folder, name), rest, cwd))
}
