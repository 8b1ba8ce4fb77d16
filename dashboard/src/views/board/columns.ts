// The columns of the board, and what a card that is dropped on one means.
import { isBad, type TaskStatus, type TaskView } from '../../shared.ts'

export type Column = {
  name: string
  title: string
  statuses: readonly TaskStatus[]
  /** Also where it is empty. */
  isAlways: boolean
  order: 'plan' | 'newest'
}

export const COLUMNS: readonly Column[] = [
  { name: 'needs-you', title: 'Needs you', statuses: ['conflict'], isAlways: false, order: 'plan' },
  { name: 'waiting', title: 'Waiting', statuses: ['pending'], isAlways: true, order: 'plan' },
  { name: 'ready', title: 'Ready', statuses: ['ready'], isAlways: true, order: 'plan' },
  { name: 'running', title: 'Running', statuses: ['running'], isAlways: true, order: 'plan' },
  { name: 'landing', title: 'Landing', statuses: ['landing'], isAlways: true, order: 'plan' },
  { name: 'landed', title: 'Landed', statuses: ['landed', 'passed'], isAlways: true, order: 'newest' },
  { name: 'failed', title: 'Failed', statuses: ['failed', 'blocked'], isAlways: true, order: 'newest' },
  { name: 'cancelled', title: 'Cancelled', statuses: ['cancelled'], isAlways: true, order: 'newest' },
]

export function columnsOf(tasks: readonly TaskView[]): ReadonlyMap<string, readonly TaskView[]> {
  const nameOf = new Map(COLUMNS.flatMap(({ name, statuses }) => statuses.map((status) => [status, name] as const)))
  const byColumn = Map.groupBy(tasks, ({ status }) => nameOf.get(status) ?? '')
  for (const { name, order } of COLUMNS) if (order === 'newest') byColumn.get(name)?.sort((a, b) => endOf(b) - endOf(a))
  return byColumn
}

function endOf({ landedAt, finishedAt }: TaskView): number {
  return landedAt ?? finishedAt ?? 0
}

/** Null: nothing can be done that way. A run is retried once its engine is gone. */
export function dropDoes({ status }: TaskView, { name }: Column, hasEngine: boolean): 'cancel' | 'retry' | null {
  const isOpen = status === 'pending' || status === 'ready' || status === 'running' || status === 'landing'
  if (name === 'cancelled' && isOpen) return 'cancel'
  if ((name === 'ready' || name === 'waiting' || name === 'running') && isBad(status) && !hasEngine) return 'retry'
  return null
}
