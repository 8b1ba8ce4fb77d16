// Choices of `model: auto` in a run, and their results.
import type { ModelChoice } from '../learning-records.ts'
import { isDone } from '../status.ts'
import { costOf, knownCost } from '../usage.ts'
import type { AttemptView, TaskView } from '../view.ts'

/** `saved`: an estimate, against the dearest model for every task. */
export function modelFacts(tasks: Iterable<Pick<TaskView, 'id' | 'status' | 'history'>>) {
  const chosen = chosenModels(tasks)
  return { chosen, saved: savedBy(chosen) }
}

export type ChosenModel = ReturnType<typeof chosenModels>[number]

export function chosenModels(tasks: Iterable<Pick<TaskView, 'id' | 'status' | 'history'>>) {
  return [...tasks].flatMap(({ id, status, history }) =>
    history.flatMap((one) => {
      const { attempt, agent = null, choice, outcome, finishedAt, failure } = one
      if (!choice) return []
      return {
        ...{ ...choice, task: id, attempt, agent, outcome },
        /** Null while it runs. */
        succeeded: finishedAt === null ? null : failure === null,
        /** Null while it runs, and if it is unknown. */
        costUsd: knownCost(one.usage) || null,
        /** Cost of its tokens with the dearest model; null: tokens or price are unknown. */
        atDearestUsd: atDearest(one, choice),
        /** Its task is done by this attempt. */
        didTask: isDone(status) && one === history.at(-1),
      }
    }),
  )
}

/** The dearest itself costs what it cost: agents count some things that a list of prices does not have. */
function atDearest({ usage }: AttemptView, { tier, tiers, dearestPrice }: ModelChoice): number | null {
  if (tier === tiers) return knownCost(usage) || null
  return (usage && dearestPrice && costOf(usage, dearestPrice)) || null
}

export type Saved = ReturnType<typeof savedBy>

/**
 * An estimate: the dearest model would have needed as many tokens as the attempt that did the task, and no other try, so a
 * cheap try that failed does not look like money saved. Tasks of which something is not known do not count.
 */
export function savedBy(chosen: readonly ChosenModel[]) {
  /** `savedUsd`: negative if the tries of cheaper ones cost more than the dearest. */
  const sum = { tasks: 0, costUsd: 0, dearestUsd: 0, savedUsd: 0 }
  for (const tries of Map.groupBy(chosen, ({ task }) => task).values()) {
    const dearestUsd = tries.find(({ didTask }) => didTask)?.atDearestUsd ?? null
    if (dearestUsd === null || tries.some(({ costUsd }) => costUsd === null)) continue
    const costUsd = tries.reduce((total, one) => total + (one.costUsd ?? 0), 0)
    sum.tasks++
    sum.costUsd += costUsd
    sum.dearestUsd += dearestUsd
    sum.savedUsd += dearestUsd - costUsd
  }
  return sum
}

export function chosenModel({ model, tier, tiers }: Pick<ModelChoice, 'model' | 'tier' | 'tiers'>): string {
  return `${model} (${tier} of ${tiers})`
}

export function choiceText(choice: ModelChoice): string {
  return `${chosenModel(choice)}: ${choice.why}`
}
