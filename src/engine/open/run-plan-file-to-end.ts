// A plan file run to its end, in one call: for programs that want only the result.
import { agentNames } from '../../agents/list.ts'
import { DEFAULT_SETTINGS, type LayerSettings, resolveSettings } from '../../config.ts'
import { ok, type Result } from '../../problem.ts'
import { planFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { readPlanFiles } from '../../workloads/plan/read.ts'
import { type OpenWorkspace, openWorkspace } from '../../workspace/workspace.ts'
import type { RunEvent } from '../run/event-feed.ts'
import type { RunResult } from '../run/run-result.ts'
import type { OpenRun } from './check-before-run.ts'
import { planLimits } from './limits.ts'
import { openRun } from './open-run.ts'
import { readPlanTexts } from './plan-texts.ts'

/** `settings`: overrule the plan. `signal`: ends running tasks; the run can be resumed. */
export type RunPlan = Partial<OpenWorkspace> &
  Pick<OpenRun, 'base' | 'environment'> & {
    settings?: LayerSettings | undefined
    onEvent?: ((event: RunEvent) => void) | undefined
    signal?: AbortSignal | undefined
  }

/** `file`: of any format, or several, or a folder. By default in the repository around the current folder. */
export async function runPlan(
  file: string | readonly string[],
  { repo = '.', stateDir, settings: given = {}, base, environment, onEvent, signal }: RunPlan = {},
): Promise<Result<RunResult>> {
  const texts = await readPlanTexts([file].flat(), '.')
  if (!texts.ok) return texts
  const { name, path, files } = texts.value
  const ofProgram = { from: 'program', settings: given }
  const agents = agentNames(resolveSettings([ofProgram]).settings)
  const read = readPlanFiles(files, name, DEFAULT_SETTINGS, { overrule: given, agents })
  if (!read.ok) return read
  const { plan, source, settings: ofPlan } = read.value
  const origin = planFileTasks(source, files, null)
  const { store, engineRepository } = given
  const opened = await openWorkspace({ repo, stateDir, store, engineRepository })
  if (!opened.ok) return opened
  await using workspace = opened.value
  const { settings } = resolveSettings([{ from: name, settings: ofPlan }, ofProgram])
  const started = await openRun(workspace, {
    ...{ plan, settings, base, planFile: path ?? undefined, origin },
    ...{ onlyAgent: given.agent, planLimits: planLimits(ofPlan), environment },
  })
  if (!started.ok) return started
  await using run = started.value
  const interrupt = () => run.interrupt()
  signal?.addEventListener('abort', interrupt)
  if (signal?.aborted) interrupt()
  try {
    const follow = async () => {
      if (onEvent) for await (const event of run.events()) onEvent(event)
    }
    const [result] = await Promise.all([run.execute(), follow()])
    return ok(result)
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}
