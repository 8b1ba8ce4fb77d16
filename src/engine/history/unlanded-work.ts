// Work that the plan file calls done and the start commit of a run lacks: an earlier run of the same file did it and wrote so
// into the file, and its branch was never landed. Tasks that build on it would not find it.
import type { NextStep } from '../../facts/next-steps.ts'
import { type EngineRepository, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { GitFailure } from '../../git/run/git.ts'
import { branchesOfRuns, hasChangesOf, hasContentOf, missingIn, tasksCopiedTo } from '../../git/trees/contained-work.ts'
import { resolveCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Problem, problem, type Result } from '../../problem.ts'
import type { LandedTask } from '../../store/plan-tasks.ts'
import type { Views } from '../../store/views.ts'
import { shownNames } from '../../workloads/document/field.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Landed, landedBefore, nextStepOf } from './landed-tasks.ts'

type UnlandedWork = {
  run: string
  branch: string
  /** True: only the run's landings are still recorded. */
  isRemoved: boolean
  next: NextStep | null
  tasks: string[]
}

/** `unlandedWork` from any process. `start`: the start of a run, if it is known; else `base`, or HEAD. */
export async function readUnlanded(
  workspace: Workspace,
  options: {
    origin: PlanFileTasks | null
    base?: string | undefined
    start?: { user: UserRepository; base: string } | null | undefined
  },
): Promise<Result<UnlandedWork[]>> {
  const { origin, start } = options
  if (!origin?.done?.length || !workspace.exists) return ok([])
  const user = start ? ok(start.user) : await workspace.user()
  if (!user.ok) return user
  const base = start ? ok(start.base) : await resolveCommit(user.value, options.base ?? 'HEAD')
  if (!base.ok) return base
  const engine = await openEngineRepository(workspace.folder.root, user.value)
  return workspace.readViews([], (views) => unlandedWork(views, engine, origin, base.value))
}

/** The oldest run first; each task once, on as few branches as hold them all. */
export async function unlandedWork(
  views: Views,
  engine: EngineRepository,
  origin: PlanFileTasks,
  base: string,
): Promise<UnlandedWork[]> {
  const landed = await landedBefore(views, origin, 'done', engine.user.top)
  if (landed.length === 0) return []
  try {
    const left = await lackedBy(engine, base, landed)
    return left.length === 0 ? [] : await onBranches(views, engine, left, base)
  } catch (error) {
    // This is only a check: if git cannot tell, the run begins without it.
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}

type Work = Pick<LandedTask, 'run' | 'task' | 'commit'>

/** Tasks that landed on `branch` whose work is not in the base in any way. */
export async function lacking<T extends Work>(engine: EngineRepository, tasks: T[], branch: string, base: string) {
  return withoutCopies(engine, await lackedBy(engine, base, tasks), branch, base)
}

async function lackedBy<T extends Work>(engine: EngineRepository, commit: string, tasks: readonly T[]): Promise<T[]> {
  const commits = tasks.map((one) => one.commit)
  const missing = await missingIn(engine, commit, commits)
  return tasks.filter((one) => missing.has(one.commit))
}

const BRANCHES = 10

/** Finds the branches that hold the work. Deleted branches are ignored: somebody has decided about them. */
async function onBranches(
  views: Views,
  engine: EngineRepository,
  landed: readonly Landed[],
  base: string,
): Promise<UnlandedWork[]> {
  const tips = await branchesOfRuns(engine)
  const works: UnlandedWork[] = []
  let left = landed.toSorted((a, b) => b.runAt - a.runAt)
  // Newest first: a run that started from the branch of another has the work of both.
  const branches = [...new Map(left.map((one) => [one.run, one.branch]))].filter(([, branch]) => tips.has(branch))
  for (const [run, branch] of branches.slice(0, BRANCHES)) {
    if (!left.some((one) => one.run === run)) continue
    const tip = tips.get(branch) ?? ''
    const elsewhere = new Set((await lackedBy(engine, tip, left)).filter((one) => one.run !== run))
    const here = new Set(left.filter((one) => !elsewhere.has(one)))
    left = [...elsewhere]
    const tasks = landed.filter((one) => here.has(one))
    const named = (await withoutCopies(engine, tasks, tip, base)).map(({ source }) => source)
    const summary = named.length > 0 ? await views.view(run) : null
    const next = summary && (await nextStepOf(views, summary))
    if (named.length > 0) works.unshift({ run, branch, tasks: named, isRemoved: !summary, next })
  }
  return works
}

/** Tasks on a branch whose work did not come into the base in another way: squashed, rebased, picked. */
async function withoutCopies<T extends Work>(
  engine: EngineRepository,
  tasks: T[],
  branch: string,
  base: string,
): Promise<T[]> {
  if ((await hasContentOf(engine, base, branch)) || (await hasChangesOf(engine, base, branch))) return []
  const copied = new Set((await tasksCopiedTo(engine, base, branch)).map(({ run, task }) => `${run}/${task}`))
  return tasks.filter(({ run, task }) => !copied.has(`${run}/${task}`))
}

/** `base`: the start of the run as the user named it; null: nobody did, so it is HEAD and the run is refused. */
export function unlandedProblems(
  works: readonly UnlandedWork[],
  { planFile, base }: { planFile: string | null; base: string | null },
  severity: Problem['severity'] = 'warning',
): Problem[] {
  return works.map(({ run, branch, tasks, isRemoved, next }) => {
    const [are, their] = tasks.length === 1 ? ['is', 'its'] : ['are', 'their']
    const what = `${shownNames(tasks)} ${are} done by the plan file, but ${their} work is not in ${base ?? 'HEAD'}: it is on ${branch}, which was not landed`
    const land = `\`${isRemoved ? `git merge ${branch}` : `espalier land ${run}`}\` brings it onto your branch`
    const ways = [
      ...(next ? [`\`${next.command}\` to ${next.what}`] : []),
      land,
      // No single one of several branches has everything.
      ...(works.length === 1 ? [`\`--base ${branch}\` starts the new run from there`] : []),
      '`--base HEAD` starts it without that work',
    ]
    return problem(base === null ? [what, ...ways].join('\n  ') : `${what}. ${land}`, { file: planFile, severity })
  })
}
