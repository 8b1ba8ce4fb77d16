// Plans, before they run: read by a command of its own for each, because they are other people's texts.

import { readNewPlan, startNewPlan } from '../engines/new-plan.ts'
import { type PlanInput, planArgument } from '../engines/plan-argument.ts'
import { flag, settingFlags } from '../engines/run-arguments.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Handlers, withProject } from './call.ts'
import { commandJson, commandText } from './command-reply.ts'
import { give, type Reply, refusal, refusedBy } from './reply.ts'

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

  'plans.make': (call) =>
    withProject(call, async ({ repo }) => {
      const { objective, plan, agent, command, model, timeoutMs, budgetUsd } = call.input
      if ((objective === undefined) === (plan === undefined))
        return refusal('invalid-request', 'name an objective, or what a plan is to be made of')
      const file = await planArgument(plan, repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const how = [...settingFlags({ agent, command, timeoutMs, budgetUsd }), ...flag('--model', model)]
      const isConversion = file.value !== null
      // Without an agent a conversion only reads what is a plan already.
      if (isConversion && agent === undefined && command === undefined)
        return refusal('invalid-request', 'name the agent that is to make a plan of it')
      const words = ['plan', isConversion ? 'convert' : 'new', ...how, '--', file.value ?? objective ?? '']
      const what = objective ?? (typeof plan === 'string' ? plan : (plan?.name ?? 'a text'))
      const { newPlans, environment } = call.context
      return give({ job: await startNewPlan(newPlans, { repo, objective: what, words }, environment) })
    }),

  'plans.made': (call) =>
    withProject(call, async ({ repo }) => {
      const made = readNewPlan(call.context.newPlans, repo, call.input.job)
      return made ? give(made) : refusal('not-found', `there is no such plan: ${call.input.job}`)
    }),

  'plans.prompt': (call) =>
    withProject(call, async (project) => {
      const file = await planArgument(call.input.plan, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const args = ['prompt', '--', call.input.task, ...(file.value === null ? [] : [file.value])]
      return commandText(call.context, project, args, { signal: call.signal, type: 'text/markdown' })
    }),
}

type WithPlan = Call<Exclude<Names, `plans.${'list' | 'prompt' | 'make' | 'made'}`>>

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
