// Searches: started as a person starts one, and read from the store.
import { compareSides } from '../../engine/query/compare-nodes.ts'
import { readSearchRun } from '../../engine/query/search-tree.ts'
import { searchReport } from '../../reports/search/report.ts'
import { evalEvents } from '../../workloads/search/eval-events.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import { planArgument } from '../engines/plan-argument.ts'
import { flag, settingFlags } from '../engines/run-arguments.ts'
import { startEngine } from '../engines/start.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, withProject, withRun } from './call.ts'
import { commandJson } from './command-reply.ts'
import { pageOf } from './page.ts'
import { give, giveResult, refusedBy, text } from './reply.ts'

type Names = Extract<RouteName, `searches.${string}`>

export const searchHandlers: Handlers<Names> = {
  'searches.list': (call) =>
    withProject(call, async ({ workspace }) => {
      const runs = await listRuns(workspace)
      if (!runs.ok) return refusedBy(runs.problems)
      const searches = runs.value.filter(({ kind }) => kind === 'search')
      return give(pageOf(searches, ({ run }) => run, call.input))
    }),

  'searches.check': (call) =>
    withProject(call, async (project) => {
      const file = await planArgument(call.input.search, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const args = ['search', 'check', '--json', '--', file.value ?? '']
      return commandJson(call.context, project, args, call.signal)
    }),

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

  'searches.report': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { format } = call.input
      const made = await searchReport(workspace, { run, format })
      const type = { md: 'text/markdown', json: 'application/json', html: 'text/html', mermaid: 'text/plain' }[format]
      return made.ok ? text(type, made.value.text) : refusedBy(made.problems)
    }),

  'searches.events': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const read = await readSearchRun(workspace, { run })
      return read.ok ? give({ items: evalEvents(read.value) }) : refusedBy(read.problems)
    }),

  'searches.compare': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { a, b, patch } = call.input
      return giveResult(await compareSides(workspace, { run, a, b, patch }))
    }),
}
