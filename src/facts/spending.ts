// What a run has spent, by task, epic, agent and model, and what of it went into work that did not land.

import { isBad } from '../status.ts'
import type { Plan, Work } from '../task.ts'
import { NO_USAGE, type Spending, type Spent, type SpentOn, USAGE_COUNTS, type Usage } from '../usage.ts'
import type { AttemptView, TaskView } from '../view.ts'

/** `plan`: names the agent of attempts that do not name it themselves. */
export function spendingOf(tasks: readonly TaskView[], plan: Plan | null = null): Spending {
  const [all, byTask, byEpic, byAgent, byModel] = [new Sums(), new Sums(), new Sums(), new Sums(), new Sums()]
  const works = new Map(plan?.tasks.map(({ id, work }) => [id, work]))
  for (const task of tasks) {
    const lost = new Set(lostAttempts(task))
    for (const attempt of task.history) {
      const { usage } = attempt
      if (!usage || isNothing(usage)) continue
      const notLanded = lost.has(attempt) ? usage : NO_USAGE
      const { agent, model } = workerOf(attempt, works.get(task.id))
      const names: [Sums, string | null][] = [
        [all, 'run'],
        [byTask, task.id],
        [byEpic, task.epic],
        [byAgent, agent],
        [byModel, model],
      ]
      for (const [sums, name] of names) if (name !== null) sums.add(name, { usage, notLanded })
    }
  }
  const [run = { name: 'run', usage: NO_USAGE, notLanded: NO_USAGE }] = all.list()
  return {
    run: { usage: run.usage, notLanded: run.notLanded },
    tasks: byTask.list(),
    epics: byEpic.list(),
    agents: byAgent.list(),
    models: byModel.list(),
  }
}

/** All but the last attempt of a task and what it continues; these too unless it succeeded or may still. */
export function lostAttempts({ status, history }: Pick<TaskView, 'status' | 'history'>): AttemptView[] {
  const last = history.at(-1)
  const lastLost = isBad(status) || (last !== undefined && last.failure !== null)
  if (lastLost || !last) return history
  // What it continues is part of its work.
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

class Sums {
  readonly #spent = new Map<string, Spent>()

  /** In place: a large run has many attempts, and is asked often. */
  add(name: string, { usage, notLanded }: Spent): void {
    const sum = this.#spent.get(name)
    if (!sum) {
      this.#spent.set(name, { usage: { ...usage }, notLanded: { ...notLanded } })
      return
    }
    for (const count of USAGE_COUNTS) {
      sum.usage[count] += usage[count]
      sum.notLanded[count] += notLanded[count]
    }
    if (usage.costUnknown) sum.usage.costUnknown = true
    if (notLanded.costUnknown) sum.notLanded.costUnknown = true
  }

  list(): SpentOn[] {
    return [...this.#spent].map(([name, spent]) => ({ name, ...spent }))
  }
}
