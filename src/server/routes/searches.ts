// Searches: started as a person starts one, and read from the store.
import { compareSides } from '../../engine/query/compare-nodes.ts'
import { readSearchRun } from '../../engine/query/search-tree.ts'
import { planArgument } from '../engines/plan-argument.ts'
import { flag, settingFlags } from '../engines/run-arguments.ts'
import { startEngine } from '../engines/start.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, withProject, withRun } from './call.ts'
import { give, giveResult, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `searches.${string}`>

export const searchHandlers: Handlers<Names> = {
  'searches.start': (call) =>
    withProject(call, async (project) => {
      const { search, agent, command, budgetUsd, onBudget, evalTimeoutMs, eagerDepth, strictFail, root } = call.input
      const { maxParallelEvals, maxParallelPerNode, evalRetries, beamWidth, maxDepth } = call.input
      const file = await planArgument(search, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const args = [
        ...['search', 'run', ...settingFlags({ agent, command, budgetUsd, onBudget })],
        ...flag('--max-parallel-evals', maxParallelEvals),
        ...flag('--max-parallel-per-node', maxParallelPerNode),
        ...flag('--eval-retries', evalRetries),
        ...flag('--eval-timeout-seconds', evalTimeoutMs === undefined ? undefined : Math.ceil(evalTimeoutMs / 1000)),
        ...flag('--beam-width', beamWidth),
        ...flag('--max-depth', maxDepth),
        ...flag('--root', root),
        ...(strictFail ? ['--strict-fail'] : []),
        ...(eagerDepth === undefined ? [] : [eagerDepth ? '--eager-depth' : '--no-eager-depth']),
        ...['--', file.value ?? ''],
      ]
      return giveResult(await startEngine(project.workspace, args, call.context.environment))
    }),

  'searches.get': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const read = await readSearchRun(workspace, { run })
      return read.ok ? give(read.value.manifest) : refusedBy(read.problems)
    }),

  'searches.compare': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { a, b, patch } = call.input
      return giveResult(await compareSides(workspace, { run, a, b, patch }))
    }),
}
