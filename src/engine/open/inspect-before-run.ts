// Refusals and warnings of a run, found without writing anything. Asked once from outside; what another engine may change
// meanwhile is checked again under the lock (`refusalsUnderLock`).
import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import type { NextStep } from '../../facts/next-steps.ts'
import { dirtyCommit, uncommittedPaths } from '../../git/user/checkout-and-worktrees.ts'
import { resolveCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Problem, problem, type Result } from '../../problem.ts'
import { count } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import type { ListedRun } from '../../view.ts'
import { checkPlace } from '../../workspace/check-state-folder.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import { type FoundTemplates, readTemplates } from '../../workspace/prompt-templates.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type DoneAgain, readEarlierRuns } from '../history/landed-tasks.ts'
import { readUnlanded, unlandedProblems, unlandedWork } from '../history/unlanded-work.ts'
import {
  checkMachines,
  checkMeans,
  checkModels,
  checkSubmodules,
  type OpenRun,
  othersAtWork,
  unpriced,
} from './check-before-run.ts'

export type BeforeRun = {
  refusals: Problem[]
  warnings: Problem[]
  /** Warnings that can take longer than opening the run: await them after that. */
  uncommitted: Promise<Problem[]>
  /** The last run of the plan file, if it was interrupted: the user may want to continue it. */
  resumable: ListedRun | null
  /** Null: the run is refused. */
  start: RunStart | null
}

export type RunStart = { user: UserRepository; base: string; prompts: FoundTemplates }

/**
 * `isDryRun`: nothing will be started now, so missing agents and ports, and unlanded work, are only warnings. `repeat`: flags to
 * repeat in commands, with a leading space.
 */
export async function inspectBeforeRun(
  workspace: Workspace,
  options: OpenRun,
  { isDryRun = false, repeat = '' }: { isDryRun?: boolean; repeat?: string } = {},
): Promise<BeforeRun> {
  const uncommitted = uncommittedProblems(workspace, options)
  uncommitted.catch(() => {}) // whoever waits for it gets the failure
  const asked = { ...options, planFile: options.planFile ?? null }
  const [start, earlier] = await Promise.all([
    findStart(workspace, options, isDryRun),
    readEarlierRuns(workspace, asked),
  ])
  const unlanded = start.value ? await unlandedBeforeRun(workspace, options, { start: start.value, isDryRun }) : []
  const again = earlier.ok ? doneAgainProblems(earlier.value.doneAgain, asked, repeat) : earlier.problems
  const problems = [...start.problems, ...unlanded, ...again]
  const refusals = problems.filter(({ severity }) => severity === 'error')
  return {
    refusals,
    warnings: problems.filter(({ severity }) => severity === 'warning'),
    uncommitted,
    resumable: earlier.ok ? earlier.value.interrupted : null,
    start: refusals.length > 0 ? null : start.value,
  }
}

async function findStart(
  workspace: Workspace,
  options: OpenRun,
  isDryRun: boolean,
): Promise<{ value: RunStart | null; problems: Problem[] }> {
  const { plan, settings, environment } = options
  const means = checkMeans(plan, settings, environment)
  const problems = [
    ...(isDryRun ? means.map(asWarning) : means),
    ...checkModels(plan, settings),
    ...checkMachines(plan, settings, workspace),
    ...unpriced(plan, settings),
  ]
  const stopped = (refused: Problem[]) => ({ value: null, problems: [...problems, ...refused] })
  const user = await workspace.user()
  if (!user.ok) return stopped(user.problems)
  const rev = namedBase(options)
  const [base, prompts, misplaced] = await Promise.all([
    options.dirty ? dirtyCommit(user.value) : rev === null ? ok(user.value.head) : resolveCommit(user.value, rev),
    readTemplates(user.value.top),
    checkPlace(user.value, workspace.folder),
  ])
  if (!base.ok) return stopped(base.problems)
  if (!prompts.ok) return stopped(prompts.problems)
  const value = { user: user.value, base: base.value, prompts: prompts.value }
  return { value, problems: [...problems, ...misplaced, ...checkSubmodules(user.value.submodules, settings)] }
}

export async function runStart(workspace: Workspace, options: OpenRun): Promise<Result<RunStart>> {
  const { value, problems } = await findStart(workspace, options, false)
  const refusals = problems.filter(({ severity }) => severity === 'error')
  return value && refusals.length === 0 ? ok(value) : { ok: false, problems: refusals }
}

export function asWarning(one: Problem): Problem {
  return { ...one, severity: 'warning' }
}

/** The start of the run as the user named it; null: not named. */
function namedBase({ base, dirty, plan }: Pick<OpenRun, 'base' | 'dirty' | 'plan'>): string | null {
  return dirty ? 'your checkout' : (base ?? plan.base)
}

/** Refusals that another engine may have caused since `inspectBeforeRun`. */
export async function refusalsUnderLock(
  locked: LockedWorkspace,
  options: OpenRun,
  { base }: RunStart,
): Promise<Problem[]> {
  const unfinished = await othersAtWork(locked, null)
  if (unfinished !== null) return [problem(unfinished)]
  // A named start is deliberate.
  if (!options.origin?.done?.length || namedBase(options) !== null) return []
  const works = await unlandedWork(locked.store, locked.engine, options.origin, base)
  return unlandedProblems(works, { planFile: options.planFile ?? null, base: null }, 'error')
}

/** Work that the plan file calls done and the base lacks. `start`: of the run, if it is known already. */
export async function unlandedBeforeRun(
  workspace: Workspace,
  options: Pick<OpenRun, 'plan' | 'base' | 'dirty' | 'origin' | 'planFile'>,
  { start, isDryRun }: { start?: RunStart | null; isDryRun: boolean },
): Promise<Problem[]> {
  const { origin = null, plan } = options
  const named = namedBase(options)
  const found = await readUnlanded(workspace, { origin, base: named ?? undefined, start })
  if (!found.ok) return []
  // If nothing is left to do, no run will be refused for it.
  const base = named ?? (plan.tasks.length === 0 ? 'HEAD' : null)
  return unlandedProblems(
    found.value,
    { planFile: options.planFile ?? null, base },
    base === null && !isDryRun ? 'error' : 'warning',
  )
}

function doneAgainProblems(
  found: readonly DoneAgain[],
  { plan, origin, planFile: file }: Omit<OpenRun, 'planFile'> & { planFile: string | null },
  repeat: string,
): Problem[] {
  const warning = (message: string) => problem(message, { file, severity: 'warning' })
  const names = new Map(origin?.open.map(({ task, source }) => [task, `\`${source}\``]))
  const again = (tasks: readonly string[], where: string): string => {
    const named = tasks.map((task) => names.get(task) ?? task)
    return `this run repeats ${nameList(named, NAMES_WIDTH)}, which landed in ${where}`
  }
  const toContinue = found.flatMap(({ run, tasks, next }) =>
    next ? [warning(`${again(tasks, `run ${run}`)}. Instead: ${wayToContinue(next, repeat)}`)] : [],
  )
  // Finished runs share one line: there may be many.
  const over = found.filter(({ next }) => next === null)
  if (over.length === 0) return toContinue
  const runs = over.map(({ run }) => run)
  const where = runs.length === 1 ? `run ${runs[0]}` : `earlier runs (${nameList(runs, NAMES_WIDTH)})`
  const landed = new Set(over.flatMap(({ tasks }) => tasks))
  const tasks = plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
  const them = tasks.length === 1 ? 'it out, mark it' : 'them out, mark them'
  return [...toContinue, warning(`${again(tasks, where)}. To leave ${them} as done in the file`)]
}

function wayToContinue({ kind, command, what }: NextStep, repeat: string): string {
  const mayReplan = kind !== 'resolve' && kind !== 'replan' && kind !== 'write-status'
  return `\`${command}${repeat}\` (${what})${mayReplan ? ', with `--replan` as the plan is written now' : ''}`
}

const NAMES_WIDTH = 60

/** Uncommitted changes, which the run does not see: it starts from a commit. The plan file itself is read as it is. */
async function uncommittedProblems({ repo }: Workspace, options: OpenRun): Promise<Problem[]> {
  const { plan, planFile, origin } = options
  if (namedBase(options) !== null || plan.tasks.length === 0) return []
  const changed = await uncommittedPaths(repo)
  if (changed.length === 0) return []
  const plans = [planFile, ...(origin?.open.map(({ path }) => path) ?? [])]
  const known = new Set(plans.map((file) => file && insideCheckout(repo, file)))
  const others = changed.filter((file) => !known.has(file))
  if (others.length === 0) return []
  const what = `${count(others.length, 'file')} ${others.length === 1 ? 'has' : 'have'}`
  const message = `${what} uncommitted changes, which the run does not see: ${nameList(others, NAMES_WIDTH)}`
  return [problem(message, { severity: 'warning' })]
}

/** The path from the top of the checkout, through any links. */
function insideCheckout(repo: string, file: string): string {
  try {
    return relative(repo, realpathSync(file))
  } catch {
    return relative(repo, file)
  }
}
