// Plans, before they run: read by a command of its own for each, because they are other people's texts.

import { type Problem, problem } from '../../problem.ts'
import { type PlanInput, planArgument } from '../engines/plan-argument.ts'
import { flag } from '../engines/run-arguments.ts'
import { placed } from '../engines/start.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Handlers, withProject } from './call.ts'
import { give, type Reply, refusal, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `plans.${string}`>

export const planHandlers: Handlers<Names> = {
  'plans.list': (call) => withProject(call, async ({ repo }) => give({ items: await call.context.plansIn(repo) })),

  'plans.check': (call) => answerOf(call, 'check'),
  'plans.show': (call) => answerOf(call, 'show', flag('--max-concurrency', call.input.maxConcurrency)),
  'plans.simulate': (call) => answerOf(call, 'simulate', flag('--max-concurrency', call.input.workers?.join(','))),
}

type PlanWords = {
  input: { project: string; plan?: PlanInput; format?: string | undefined; part?: string | undefined }
}

/** What the command prints with `--json`, whatever its exit status. */
function answerOf(
  call: PlanWords & Pick<Call<Names>, 'context' | 'signal'>,
  command: 'check' | 'show' | 'simulate',
  flags: readonly string[] = [],
): Promise<Reply> {
  return withProject(call, async ({ repo }) => {
    const { plan, format, part } = call.input
    const file = await planArgument(plan, repo, call.context.plansFolder)
    if (!file.ok) return refusedBy(file.problems)
    const named = file.value === null ? [] : ['--', file.value]
    const args = ['plan', command, '--json', ...flags, ...flag('--format', format), ...flag('--part', part), ...named]
    const end = await call.context.commands.run(args, { cwd: repo, signal: call.signal })
    if (end.kind === 'busy') return refusal('too-many-requests', 'as many commands run already as may: try again soon')
    if (end.kind !== 'ended') return refusal('took-too-long', 'the command took too long, or printed too much')
    const value = jsonOf(end.out)
    return value === undefined ? refusedBy(problemsIn(end.err)) : give(value)
  })
}

function problemsIn(err: string): Problem[] {
  const lines = err.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.map(placed) : [problem('the command ended without a word')]
}

/** Its first member is the version of the output, which the protocol has one of its own for. */
function jsonOf(out: string): unknown {
  try {
    const { version: _, ...value } = JSON.parse(out) as Record<string, unknown>
    return value
  } catch {
    return undefined
  }
}
