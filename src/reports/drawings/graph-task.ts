// A task as the graph shows it: of a run, with how it stands, or of a plan that has not run yet.

import type { TaskStatus } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { type Facts, type ReportInput, taskMs } from '../facts/run.ts'
import { STATUS_TONE, type Tone } from '../html/status-look.ts'

export type GraphTask = {
  id: string
  title: string
  needs: string[]
  after: string[]
  tone: Tone
  sign: TaskStatus
  /** How it stands, in a word or two. */
  word: string
  /** Drawn as an outline: nothing has been done yet. */
  open: boolean
  /** Its time, or empty. */
  took: string
}

export function tasksOfRun({ view, plan }: ReportInput, { endAt }: Facts): GraphTask[] {
  const after = new Map(plan.tasks.map((task) => [task.id, task.after]))
  return view.tasks.map((task) => ({
    id: task.id,
    title: task.title,
    needs: task.needs,
    after: after.get(task.id) ?? [],
    tone: STATUS_TONE[task.status],
    sign: task.status,
    word: task.status,
    open: task.status === 'pending' || task.status === 'ready' || task.status === 'blocked',
    took: task.history.length > 0 ? formatDuration(taskMs(task, endAt)) : '',
  }))
}
