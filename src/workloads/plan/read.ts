// A plan: from the text of its files to tasks with every default filled in, or to all that is wrong with it. Pure. Other
// formats are translated into Espalier's own first (translate-format.ts).
import { basename, extname, posix } from 'node:path'
import { agentNames } from '../../agents/list.ts'
import type { LayerSettings, Settings } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import type { Plan } from '../../task.ts'
import { slug } from '../../text/slug.ts'
import { shown } from '../document/field.ts'
import { addWarning, errorsOf, newFindings, warningsOf } from '../document/findings.ts'
import type { Path } from '../document/place.ts'
import { checkUses, toResources } from '../document/resource-fields.ts'
import { type SettingsInput, toLayer } from '../settings/settings-file-schema.ts'
import { checkCycles, checkReferences } from './needs.ts'
import { impossibleTasks, whyNever } from './never-runs.ts'
import { checkAgentLists, checkAgents, readWritten, type Written } from './plan-fields.ts'
import { type Draft, expandEpicNeeds, taskPath, toDraft } from './tasks-before-needs.ts'
import { fillingOf, namedAgents } from './to-task.ts'
import { isOwn, openSource, type PlanFile, type PlanSource, type SourceOptions } from './translate-format.ts'

export type ReadPlan = {
  /** Has no tasks only if a file of another format has nothing left to do. */
  plan: Plan
  settings: LayerSettings
  warnings: Problem[]
  source: PlanSource
}

type ReadPlanOptions = SourceOptions & {
  /** Folder that file names are relative to: a plan without a name may be called after a folder above it. */
  folder?: string | undefined
  /** Names that prompts may ask for; default: the agents there are, and those that speak ACP in `defaults`. */
  agents?: readonly string[]
  /**
   * Values of the environment and flags: `agent` replaces that of every prompt; the others replace the plan's defaults
   * only.
   */
  overrule?: Parameters<typeof fillingOf>[4]
}

export function readPlan(
  text: string,
  file: string,
  defaults: Settings,
  options: ReadPlanOptions = {},
): Result<ReadPlan> {
  return readPlanFiles([{ file, text }], file, defaults, options)
}

/** `name`: what messages call all of them, such as the folder they are in. */
export function readPlanFiles(
  files: readonly PlanFile[],
  name: string,
  defaults: Settings,
  { agents = agentNames(defaults), overrule = {}, folder, ...options }: ReadPlanOptions = {},
): Result<ReadPlan> {
  const opened = openSource(files, name, { checks: overrule.checks ?? defaults.checks, ...options })
  if (!opened.ok) return opened
  const source = opened.value
  const { document, file } = source
  const value = document.value as Record<string, unknown>
  const warned = [...source.warnings, ...(document.doubled?.() ?? [])].map(({ message, place }) =>
    problem(message, { file, ...place, severity: 'warning' }),
  )
  // A text in the file cannot hold NUL itself, only an escape for it.
  const mayHoldNul = files.some(({ text }) => /\\(u0000|U00000000|x00|0)/.test(text))
  const findings = newFindings(mayHoldNul ? value : undefined)
  const isDone = source.entries.length > 0 && (value.tasks as unknown[]).length === 0
  const written = readWritten(value, findings, { mayBeEmpty: isDone })
  if (findings.cutShort) return refuse(...errorsOf(findings, document, file))
  checkAgentLists(written, findings)
  if (overrule.agent == null) checkAgents(written, agents, findings)
  const epics = new Map(written.epics.flatMap((epic) => (epic?.id === undefined ? [] : [[epic.id, epic] as const])))
  const filling = fillingOf(written.head, written.defaults, epics, defaults, overrule)
  const draft = toDraft(written, filling, source.wording, findings)
  const declared = toResources(written.head.resources)
  checkReferences(draft, findings)
  // Mistakes in `resources` itself are reported alone.
  const areSound = declared !== undefined || value.resources === undefined
  draft.tasks.forEach(({ uses }, index) => {
    if (uses && areSound) checkUses(uses, declared, usesPath(written, draft, index), findings)
  })
  checkCycles(draft, findings)
  if (findings.errors.length === 0) {
    // A budget given by flag or environment is not the plan's mistake. The readers of other formats say it in their words.
    const planUsd = overrule.budgetUsd === undefined ? written.head.budgetUsd : undefined
    for (const one of isOwn(source) ? impossibleTasks(draft, planUsd ?? null) : []) {
      const outcome = one.why === 'budget' ? 'would never start' : 'will fail'
      const path = taskPath(draft, draft.taskIndex.get(one.task) ?? 0)
      addWarning(findings, path, `task ${shown(one.task)} ${outcome}: ${whyNever(one)}`)
    }
    expandEpicNeeds(draft, findings)
    for (const task of draft.tasks) {
      if (task.needs.length > 1) task.needs = unique(task.needs)
      if (task.after.length > 1) task.after = unique(task.after)
    }
  }
  if (findings.errors.length > 0)
    return refuse(...errorsOf(findings, document, file), ...warningsOf(findings, document, file))
  const { objective, base = null } = written.head
  const purpose = objective === undefined ? {} : { objective: objective.trim() }
  const called =
    written.head.name ?? (saysNothing(source, name) ? planName(source.files, folder) : slug(baseName(name)))
  const has = declared ? { resources: declared } : {}
  const plan: Plan = { name: called, ...purpose, base, ...has, epics: draft.epics, tasks: draft.tasks }
  const warnings = [...warned, ...warningsOf(findings, document, file)]
  return ok({ plan, settings: toSettings(written), warnings, source: withName(source, called) })
}

/** Path of `uses`: of the task, else of the defaults. */
function usesPath(written: Written, draft: Draft, task: number): Path {
  const path = taskPath(draft, task, 'uses')
  return written.tasks[draft.taskAt[task] ?? 0]?.uses ? path : ['defaults', 'uses']
}

/** True if the file name is no plan name: a fixed name of its format, or `espalier.yaml`. */
function saysNothing(source: PlanSource, name: string): boolean {
  return !isOwn(source) || baseName(name) === 'espalier'
}

function baseName(name: string): string {
  return basename(name, extname(name))
}

/** Converted, it goes into a file of another name, and is to be called the same. */
function withName(source: PlanSource, name: string): PlanSource {
  const value = source.document.value as Record<string, unknown>
  if (value.name !== undefined) return source
  return { ...source, document: { ...source.document, value: { name, ...value } } }
}

/** Settings of the run in the plan. */
function toSettings({ head, defaults }: Written): LayerSettings {
  const { retries, timeout } = defaults
  const agent = namedAgents(defaults)?.[0] ?? head.agent
  // The environment of all tasks also applies to the commands that verify a landing.
  const landing = head.env ? { ...head.landing, env: { ...head.env, ...head.landing?.env } } : head.landing
  return toLayer({ ...head, agent, retries, timeout, landing: landing as SettingsInput['landing'] })
}

function unique(names: string[]): string[] {
  const set = new Set(names)
  return set.size === names.length ? names : [...set]
}

/**
 * The name of a plan that says none: the nearest folder with a name of its own. `specs/003-search/tasks.md` is `003-search`. `folder`:
 * where relative names begin; undefined where that is not known.
 */
function planName(files: readonly string[], folder: string | undefined): string {
  const parts = files.map((file) => partsOf(file, folder))
  const [first = []] = parts
  const shared = files.length === 1 ? withoutEnding(first) : first.slice(0, sharedLength(parts))
  const named = shared.findLast((part) => !USUAL.test(part))
  return slug(named ?? shared.at(-1) ?? '')
}

const USUAL =
  /^\.{0,2}$|^\d[\d.-]*(?:-plan)?$|^\.?(?:tasks?|plans?|issues|beads|implementation[-_]plan|work[-_]?queue|epics?|specs?|docs?|phases?|planning|taskmaster|claude|auto-claude|espalier)$/i

function partsOf(file: string, folder: string | undefined): string[] {
  const path = file.replaceAll('\\', '/')
  return (folder === undefined ? posix.normalize(path) : posix.resolve(folder.replaceAll('\\', '/'), path)).split('/')
}

function withoutEnding(parts: readonly string[]): string[] {
  const last = parts.at(-1) ?? ''
  return [...parts.slice(0, -1), posix.basename(last, posix.extname(last))]
}

/** Number of leading path parts that all files share, file names left aside. */
function sharedLength(all: readonly (readonly string[])[]): number {
  const [first = []] = all
  const end = first.findIndex((part, i) => all.some((parts) => i >= parts.length - 1 || parts[i] !== part))
  return Math.max(0, end)
}
