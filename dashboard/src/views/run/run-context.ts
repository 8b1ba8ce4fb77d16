// The run that a view is about: what every view of a run needs, made once.
import { createContext, useContext } from 'react'
import type { RunPlace } from '../../app/router.ts'
import type { RunRef, RunState } from '../../data/queries.ts'
import type { Plan, TaskView } from '../../shared.ts'

export type RunValue = {
  ref: RunRef
  place: RunPlace
  state: RunState
  /** In the order of the plan. */
  tasks: readonly TaskView[]
  /** Null while it is being fetched, or gone. */
  plan: Plan | null
  /** What a task waits for, in words; null where it waits for nothing. */
  waitOf(task: TaskView): string | null
  /** Shows a task beside the view; null: none. */
  openTask(task: string | null, part?: string): void
  /** The address of that. */
  hrefOfTask(task: string, part?: string): string
}

export const RunContext = createContext<RunValue | null>(null)

export function useRun(): RunValue {
  const value = useContext(RunContext)
  if (!value) throw new Error('there is no run around this part')
  return value
}
