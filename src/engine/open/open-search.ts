// Opening a search: a run whose plan begins with the measurement of its root and grows with the results.
import type { Settings } from '../../config.ts'
import { type Problem, type Result, refuse } from '../../problem.ts'
import type { Idea, Search } from '../../search.ts'
import type { Plan } from '../../task.ts'
import type { ReadSearch } from '../../workloads/search/read.ts'
import { evalTasks, firstPlan, proposeTask } from '../../workloads/search/tasks.ts'
import type { Node } from '../../workloads/search/tree.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Run } from '../run/run.ts'
import { checkPlan, type OpenRun } from './check-before-run.ts'
import { openRun } from './open-run.ts'

type OpenSearch = Pick<OpenRun, 'settings' | 'environment' | 'runner' | 'base'> & {
  read: Pick<ReadSearch, 'name' | 'root' | 'search' | 'env'>
  /** Sorted by path. */
  ideas: readonly Idea[]
  /** The file it was read from. */
  file?: string | undefined
}

/** Nothing runs yet: see `Run.execute`. */
export async function openSearch(workspace: Workspace, options: OpenSearch): Promise<Result<Run>> {
  const { environment, runner, base, file } = options
  const settings = searchSettings(options.settings)
  const plan = searchPlan(options)
  const problems = checkSearch(options)
  if (problems.length > 0) return { ok: false, problems }
  return openRun(workspace, { plan, settings, base, planFile: file, environment, runner })
}

/** Reasons why `openSearch` would refuse this search. */
export function checkSearch({ read, ideas, settings, environment }: OpenSearch): Problem[] {
  const { search } = read
  if (ideas.length === 0 && !search.propose)
    return refused('no file matches `ideas`, and nobody proposes any: there is nothing to try')
  return checkPlan(sampleOf({ ...search, ideas: [...ideas] }), searchSettings(settings), environment)
}

/** The plan that its run begins with. */
export function searchPlan({ read, ideas, settings }: Pick<OpenSearch, 'read' | 'ideas' | 'settings'>): Plan {
  const { name, root, env } = read
  const { timeoutMs } = settings
  const search: Search = {
    ...read.search,
    ideas: [...ideas],
    timeoutMs,
    ...(Object.keys(env).length > 0 ? { env } : {}),
  }
  return firstPlan(search, { name, root })
}

/** A plan with every kind of task that it may ever start: problems of any are found before anything runs. */
function sampleOf(search: Search): Plan {
  const node: Node = {
    ...{ id: 'root', depth: 0, eval: 'root', parent: null, idea: null },
    measured: { score: 0, spread: 0, tree: '' },
  }
  const idea = search.ideas[0] ?? { path: 'proposed', text: '' }
  const tried = evalTasks(search, { id: 'root-1', depth: 1, parent: 'root', number: 1, idea }, node, [])
  const plan = firstPlan(search, { name: 'search', root: null })
  return { ...plan, tasks: [...plan.tasks, ...tried.tasks, ...proposeTask(search, node, '').tasks] }
}

/**
 * Settings about work that lands side by side do not apply: candidates all change the same files, none may see another, and the
 * branch moves once, to a judged result.
 */
export function searchSettings(settings: Settings): Settings {
  return {
    ...settings,
    ...{ claims: 'warn', schedule: 'eager' },
    landing: { ...settings.landing, verify: [] },
    learning: { ...settings.learning, enabled: false },
  }
}

function refused(message: string): Problem[] {
  const result = refuse<never>(message)
  return result.ok ? [] : result.problems
}

/** With one eval at a time eagerness gains nothing. */
export function withEagerness<T extends Pick<ReadSearch, 'search' | 'eager'>>(
  read: T,
  { maxConcurrency }: Settings,
): T {
  const eager = read.eager ?? maxConcurrency > 1
  return { ...read, search: { ...read.search, eager } }
}
