// What a plan is for, and what its epics and tasks were decided by, as far as the plan says.
import type { Plan } from '../task.ts'

export type PurposeFacts = {
  objective: string | null
  /** In the order of the plan, each with all that goes back to it. */
  decisions: { decision: string; epics: string[]; tasks: string[] }[]
}

export function purposeFacts({ objective, epics, tasks }: Plan): PurposeFacts {
  const found = new Map<string, { epics: string[]; tasks: string[] }>()
  const at = (decision: string) => {
    const known = found.get(decision) ?? { epics: [], tasks: [] }
    found.set(decision, known)
    return known
  }
  for (const epic of epics) for (const decision of epic.decisions ?? []) at(decision).epics.push(epic.id)
  for (const task of tasks) for (const decision of task.decisions ?? []) at(decision).tasks.push(task.id)
  return {
    objective: objective ?? null,
    decisions: [...found].map(([decision, behind]) => ({ decision, ...behind })),
  }
}
