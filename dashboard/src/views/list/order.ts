// Which tasks the list shows, and in which order.
import { STATUS_ORDER, type TaskStatus, type TaskView, usageOf } from '../../shared.ts'

export const ORDERS = {
  attention: { title: 'attention first', value: ({ status }: TaskView) => STATUS_ORDER.indexOf(status) },
  plan: { title: 'as in the plan', value: () => 0 },
  newest: { title: 'newest first', value: (task: TaskView) => -newestOf(task) },
  longest: { title: 'longest first', value: (task: TaskView) => -msOf(task) },
  dearest: { title: 'dearest first', value: (task: TaskView) => -costOf(task) },
  attempts: { title: 'most attempts first', value: ({ attempts }: TaskView) => -attempts },
} as const

export type Order = keyof typeof ORDERS

export function sortTasks(tasks: readonly TaskView[], order: Order): readonly TaskView[] {
  if (order === 'plan') return tasks
  // Of 10,000 tasks this is done with every change: a list for each status instead of comparisons.
  if (order === 'attention' || !(order in ORDERS)) {
    const byStatus = Map.groupBy(tasks, ({ status }) => status)
    return STATUS_ORDER.flatMap((status) => byStatus.get(status) ?? [])
  }
  const { value } = ORDERS[order]
  return tasks.toSorted((a, b) => value(a) - value(b))
}

export function filterTasks(tasks: readonly TaskView[], words: string, status: TaskStatus | ''): readonly TaskView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0 && status === '') return tasks
  return tasks.filter((task) => {
    if (status !== '' && task.status !== status) return false
    const text = `${task.id} ${task.title} ${task.epic ?? ''} ${task.status}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

export function msOf({ history }: TaskView): number {
  return history.reduce(
    (sum, { startedAt, finishedAt }) => sum + Math.max(0, (finishedAt ?? Date.now()) - startedAt),
    0,
  )
}

export function costOf({ history }: TaskView): number {
  return usageOf(history).costUsd
}

function newestOf({ landedAt, finishedAt, startedAt }: TaskView): number {
  return Math.max(landedAt ?? 0, finishedAt ?? 0, startedAt ?? 0)
}
