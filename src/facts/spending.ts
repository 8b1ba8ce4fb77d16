// Spending of a run by task, epic, agent and model, and its part for work that did not land.
import { isBad } from '../status.ts'
import type { Plan, Work } from '../task.ts'
import { NO_USAGE, USAGE_COUNTS, type Usage } from '../usage.ts'
import type { AttemptView, Spending, Spent, TaskView } from '../view.ts'

/** `plan`: names the agent of attempts that do not name it themselves. */
export function spendingOf(tasks: readonly TaskView[], plan: Plan | null = null): Spending {
  const works = new Map(plan?.tasks.map(({ id, work }) => [id, work]))
  const spent = tasks.flatMap((task) => {
    const lost = new Set(lostAttempts(task))
    return task.history.flatMap((attempt) => {
      const { usage } = attempt
      if (!usage || isNothing(usage)) return []
      const worker = workerOf(attempt, works.get(task.id))
      return { usage, isLost: lost.has(attempt), task: task.id, epic: task.epic, ...worker }
    })
  })
  const by = (what: 'task' | 'epic' | 'agent' | 'model') =>
    [...Map.groupBy(spent, (one) => one[what])].flatMap(([name, some]) =>
      name === null ? [] : [{ name, ...sumOf(some) }],
    )
  return { run: sumOf(spent), tasks: by('task'), epics: by('epic'), agents: by('agent'), models: by('model') }
}

/** In loops: a large run has many attempts, and is asked often. */
function sumOf(attempts: readonly { usage: Usage; isLost: boolean }[]): Spent {
  const sum: Spent = { usage: { ...NO_USAGE }, notLanded: { ...NO_USAGE } }
  for (const { usage, isLost } of attempts)
    for (const total of isLost ? [sum.usage, sum.notLanded] : [sum.usage]) {
      for (const count of USAGE_COUNTS) total[count] += usage[count]
      if (usage.costUnknown) total.costUnknown = true
    }
  return sum
}

/** All but the last attempt of a task and what it continues; these too unless it succeeded or may still. */
export function lostAttempts({ status, history }: Pick<TaskView, 'status' | 'history'>): AttemptView[] {
  const last = history.at(-1)
  const lastLost = isBad(status) || (last !== undefined && last.failure !== null)
  if (lastLost || !last) return history
  // The attempts that it continues are part of its work.
  const used = new Set<AttemptView | undefined>([last])
  for (const one of history.toReversed())
    if (one.continues !== undefined && used.has(one)) used.add(history.find(({ attempt }) => attempt === one.continues))
  return history.filter((one) => !used.has(one))
}

/** Agent and model of an attempt: as the agent reported, else as it was started, else by the plan. */
export function workerOf(
  { session, agent: started, choice }: Pick<AttemptView, 'session' | 'agent' | 'choice'>,
  work: Work | undefined,
): { agent: string | null; model: string | null } {
  const asked = work?.kind === 'prompt' ? work : null
  const agent = session?.agent ?? started ?? asked?.agent ?? (work ? 'run' : null)
  // The task's model is meant for its first agent, not for a fallback.
  const model = asked?.agent === agent ? asked?.model : null
  return { agent, model: session?.model ?? choice?.model ?? model ?? null }
}

function isNothing(usage: Usage): boolean {
  return !usage.costUnknown && USAGE_COUNTS.every((count) => usage[count] === 0)
}
