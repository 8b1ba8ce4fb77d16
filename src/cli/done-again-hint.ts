// A word about tasks that a run would do a second time, before it begins.
import type { Settings } from '../config.ts'
import { type Plan, type PlanOrigin, type Problem, readDoneAgain, type Where } from '../index.ts'
import { problem } from '../problem.ts'
import { nameList } from './name-list.ts'

type Loaded = { plan: Plan; settings: Settings; path: string | null; fileOrigin: PlanOrigin | null }

/**
 * None where the plan file says itself what is done, because what it calls open is meant to be done; nor where it cannot be
 * found out. `repeat`: flags to repeat, with a leading space.
 */
export async function doneAgainHints(where: Where, loaded: Loaded, repeat: string): Promise<Problem[]> {
  const { plan, settings, path, fileOrigin } = loaded
  if (path === null || (fileOrigin && settings.writeBack)) return []
  const found = await readDoneAgain({ ...where, planFile: path, plan })
  if (!found.ok || found.value === null) return []
  const { run, goesOn, tasks } = found.value
  const way =
    goesOn === 'resume'
      ? `\`espalier resume ${run}${repeat}\` goes on with that run instead`
      : `\`espalier retry --run ${run}${repeat}\` tries only what did not succeed there`
  const again = `${nameList(tasks, NAMES_WIDTH)} landed in run ${run}, and this run does ${tasks.length === 1 ? 'it' : 'them'} again`
  return [problem(`${again}: ${way} (\`--replan\`: as the plan is written now)`, { file: path, severity: 'warning' })]
}

/** Columns for the names of tasks, in a message of one line. */
const NAMES_WIDTH = 60
