// Plans, before they run: read by a command of its own for each, because they are other people's texts.

import { type PlanInput, planArgument } from '../engines/plan-argument.ts'
import { flag } from '../engines/run-arguments.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Handlers, withProject } from './call.ts'
import { commandJson, commandText } from './command-reply.ts'
import { give, type Reply, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `plans.${string}`>

export const planHandlers: Handlers<Names> = {
  'plans.list': (call) => withProject(call, async ({ repo }) => give({ items: await call.context.plansIn(repo) })),

  'plans.check': (call) =>
    withPlan(call, (project, plan) =>
      commandJson(call.context, project, ['plan', 'check', '--json', ...plan], call.signal),
    ),

  'plans.show': (call) =>
    withPlan(call, (project, plan) => {
      const workers = flag('--max-concurrency', call.input.maxConcurrency)
      return commandJson(call.context, project, ['plan', 'show', '--json', ...workers, ...plan], call.signal)
    }),

  'plans.simulate': (call) =>
    withPlan(call, (project, plan) => {
      const workers = flag('--max-concurrency', call.input.workers?.join(','))
      return commandJson(call.context, project, ['plan', 'simulate', '--json', ...workers, ...plan], call.signal)
    }),

  'plans.convert': (call) =>
    withPlan(call, (project, plan) => {
      const isJson = call.input.as === 'json'
      const args = ['plan', 'convert', ...(isJson ? ['--json'] : []), ...plan]
      const type = isJson ? 'application/json' : 'application/yaml'
      return commandText(call.context, project, args, { signal: call.signal, type })
    }),

  'plans.prompt': (call) =>
    withProject(call, async (project) => {
      const file = await planArgument(call.input.plan, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const args = ['prompt', '--', call.input.task, ...(file.value === null ? [] : [file.value])]
      return commandText(call.context, project, args, { signal: call.signal, type: 'text/markdown' })
    }),
}

type WithPlan = Call<Exclude<Names, 'plans.list' | 'plans.prompt'>>

/** With the words of a command that name the plan. */
async function withPlan(
  call: Pick<WithPlan, 'context'> & {
    input: { project: string; plan?: PlanInput; format?: string | undefined; part?: string | undefined }
  },
  use: (project: Project, plan: string[]) => Promise<Reply>,
): Promise<Reply> {
  return withProject(call, async (project) => {
    const { plan, format, part } = call.input
    const file = await planArgument(plan, project.repo, call.context.plansFolder)
    if (!file.ok) return refusedBy(file.problems)
    const named = file.value === null ? [] : ['--', file.value]
    return use(project, [...flag('--format', format), ...flag('--part', part), ...named])
  })
}
