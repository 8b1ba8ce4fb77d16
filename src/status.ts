// The words for how a run, a task and an attempt stand. Apart from view.ts because schemas take time to load, and
// `espalier status` has none.

export const TASK_STATUSES = [
  'pending', // waits for its needs, its wave or the time of its next try
  'ready', // could start: waits for a slot or for paths that another task has claimed
  'running',
  'landing', // its work is done and waits to land
  'conflict', // its work is done, does not merge with what has landed, and waits for a person
  'landed', // its work is on the run's branch
  'passed', // it succeeded and does not land: no change, or `land: false`
  'failed',
  'blocked', // something it needs did not succeed
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Statuses of success. */
export function isDone(status: TaskStatus): boolean {
  return status === 'landed' || status === 'passed'
}

/** Statuses of an end without success. */
export function isBad(status: TaskStatus): boolean {
  return status === 'failed' || status === 'blocked' || status === 'cancelled'
}

/** Nothing follows of itself. */
export function isOver(status: TaskStatus): boolean {
  return isDone(status) || isBad(status)
}

export const RUN_STATUSES = [
  'running',
  'completed',
  'failed',
  'cancelled',
  'waiting', // all that is left waits for a person: to resolve a conflict, to give a larger budget, or to start a worker
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Kind of a run: a plan whose work lands, a suite whose entries are judged, or a search. */
export const RUN_KINDS = ['plan', 'suite', 'search'] as const
export type RunKind = (typeof RUN_KINDS)[number]

export const OUTCOMES = [
  'changed',
  'no-change',
  'failed',
  'refused',
  'rate-limited',
  'budget',
  'timeout',
  'cancelled',
  'crashed',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const NOTE_KINDS = ['progress', 'done', 'blocked', 'issue', 'follow-up', 'lesson'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

/** The worker that is the engine's own process. */
export const LOCAL = 'local'
