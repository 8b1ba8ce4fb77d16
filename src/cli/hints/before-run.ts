// Warnings before a run: tasks that it would do a second time, and work that its base does not have.

import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import type { Plan, Problem } from '../../index.ts'
import {
  type DoneAgain,
  type NextStep,
  type PlanSource,
  readDoneAgain,
  readUnlanded,
  uncommittedPaths,
  unlandedProblems,
} from '../../internal.ts'
import { problem } from '../../problem.ts'
import { nameList } from '../../text/name-list.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { LoadedPlan } from '../inputs/plan-file.ts'

type Loaded = Pick<LoadedPlan, 'plan' | 'path' | 'fileOrigin'> & { source: Pick<PlanSource, 'entries'> }

type Called = (tasks: readonly string[]) => string

/** None where that is not known. `repeat`: flags to repeat, with a leading space. */
export async function doneAgainHints(workspace: Workspace, loaded: Loaded, repeat: string): Promise<Problem[]> {
  const { plan, path, fileOrigin, source } = loaded
  const found = await readDoneAgain(workspace, { planFile: path, plan, origin: fileOrigin })
  if (!found.ok) return []
  const names = new Map(source.entries.map((entry) => [entry.task, `\`${entry.source}\``]))
  const called: Called = (tasks) =>
    nameList(
      tasks.map((task) => names.get(task) ?? task),
      NAMES_WIDTH,
    )
  const over = found.value.filter(({ next }) => next === null)
  const messages = [
    ...found.value.flatMap((one) => (one.next ? [continueText(one, one.next, { repeat, called })] : [])),
    ...overText(over, plan, called),
  ]
  return messages.map((message) => problem(message, { file: path, severity: 'warning' }))
}

type Wording = { repeat: string; called: Called }

function continueText(
  { run, tasks }: DoneAgain,
  { kind, command, what }: NextStep,
  { repeat, called }: Wording,
): string {
  const way = `\`${command}${repeat}\` (${what})`
  const mayReplan = kind !== 'resolve' && kind !== 'replan'
  const replan = mayReplan ? ', with `--replan` as the plan is written now' : ''
  return `${again(tasks, `run ${run}`, called)}. Instead: ${way}${replan}`
}

/** Of finished runs: in one line, because there may be many. */
function overText(over: readonly DoneAgain[], plan: Plan, called: Called): string[] {
  const [first, ...more] = over
  if (!first) return []
  const runs = over.map(({ run }) => run)
  const workspace = more.length === 0 ? `run ${first.run}` : `earlier runs (${nameList(runs, NAMES_WIDTH)})`
  const landed = new Set(over.flatMap(({ tasks }) => tasks))
  const tasks = plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
  return [
    `${again(tasks, workspace, called)}. To leave ${tasks.length === 1 ? 'it out, mark it' : 'them out, mark them'} as done in the file`,
  ]
}

function again(tasks: readonly string[], workspace: string, called: Called): string {
  return `this run repeats ${called(tasks)}, which landed in ${workspace}`
}

const NAMES_WIDTH = 60

/** Work that the plan file calls done and that the base of the run lacks. None also outside of git. `base`: of a flag. */
export async function unlandedHints(
  workspace: Workspace,
  { plan, path, fileOrigin }: Omit<Loaded, 'source'>,
  base: string | undefined,
): Promise<Problem[]> {
  const said = base ?? plan.base
  const found = await readUnlanded(workspace, { origin: fileOrigin, base: said ?? undefined })
  // Where nothing is left to do, no run will be refused for it.
  const start = plan.tasks.length === 0 ? 'HEAD' : null
  return found.ok ? unlandedProblems(found.value, { planFile: path, base: said ?? start }) : []
}

/** What the run does not see of the checkout: it starts from a commit. The plan file itself is read as it is. */
export async function uncommittedHints(
  { repo }: Workspace,
  { path, fileOrigin }: Pick<Loaded, 'path' | 'fileOrigin'>,
): Promise<Problem[]> {
  const changed = await uncommittedPaths(repo)
  if (changed.length === 0) return []
  const plans = new Set(
    [path, ...(fileOrigin?.files.map((file) => file.path) ?? [])].map((file) => file && inside(repo, file)),
  )
  const others = changed.filter((file) => !plans.has(file))
  if (others.length === 0) return []
  const what = others.length === 1 ? '1 file has' : `${others.length} files have`
  const message = `${what} uncommitted changes, which the run does not see: ${nameList(others, NAMES_WIDTH)}`
  return [problem(message, { severity: 'warning' })]
}

/** The path from the top of the checkout, whatever links lead to it. */
function inside(repo: string, file: string): string {
  try {
    return relative(repo, realpathSync(file))
  } catch {
    return relative(repo, file)
  }
}
