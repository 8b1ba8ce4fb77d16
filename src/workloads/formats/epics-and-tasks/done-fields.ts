// How a task among epics and tasks says that it is done: with `done`, or in other files with `completed` or `status`. The first
// of them that says something decides; `status` can also say that a task is not to be done at all.
import type { Entry } from '../format.ts'
import { isNothing, truthOf } from '../json/values.ts'
import { stateWithin } from '../state/read-state.ts'
import { plainStatus, stateOf } from '../state/status-words.ts'

export const DONE_FIELDS = ['done', 'completed', 'status'] as const

export const STATES = {
  done: ['done', 'complete', 'completed', 'closed', 'finished'],
  open: ['pending', 'todo', 'open', 'not_started', 'in_progress', 'blocked', 'failed'],
}

/** Of the words for what is to be done those that say that nobody has begun. */
const FRESH = ['pending', 'todo', 'open', 'not_started']

type Fields = Record<string, unknown>

/** By `done`, else by `completed`; null where neither says it. */
export function truthSaid({ done, completed }: Fields): boolean | null {
  return truthOf(done) ?? truthOf(completed)
}

/** '' where there is none that is a text. */
export function statusText({ status }: Fields): string {
  return typeof status === 'string' ? status.trim() : ''
}

export function isFresh(status: string): boolean {
  return FRESH.includes(plainStatus(status))
}

export function isToBeDone(status: string): boolean {
  return STATES.open.includes(plainStatus(status))
}

export function doneState(value: Fields): Entry['state'] {
  const [truth, byStatus] = [truthSaid(value), stateOf(statusText(value), STATES)]
  if (truth === true) return 'done'
  return byStatus === 'done' && truth === false ? 'open' : byStatus
}

/** Of an epic only its status counts. */
export function stateInEpic({ status }: Fields, task: Fields): Entry['state'] {
  const isSaid = DONE_FIELDS.some((name) => !isNothing(task[name]))
  return stateWithin(doneState({ status }), doneState(task), isSaid)
}
