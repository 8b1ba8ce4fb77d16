// The boxes of a `tasks.md`: one character each.
import { ok } from '../../../problem.ts'
import { readMarkdown } from '../markdown/parse-lines.ts'
import { type StatusEntry, type StatusFile, taskContent } from '../status/status-file.ts'
import { readTaskLines } from './lines.ts'
import { beginsTask, stateOf, type TaskLine } from './task-line.ts'

const [DONE, OPEN] = ['x', ' ']

export const specKitStatus: StatusFile = {
  words: { open: OPEN, begun: OPEN, done: DONE, failed: OPEN, blocked: OPEN },
  read: ({ text }) => {
    const starts = lineStarts(text)
    const { phases } = readTaskLines(readMarkdown(text, beginsTask))
    return ok(phases.flatMap(({ tasks }) => tasks).map((task) => toRecord(task, text, starts[task.line - 1] ?? 0)))
  },
}

function toRecord(task: TaskLine, text: string, start: number): StatusEntry {
  const box = text.indexOf('[', start) + 1
  return {
    source: task.id,
    parent: null,
    // As it is, also where it is neither: that is somebody's word. So is what was struck out, whatever its box says.
    status: task.isDone ? text.charAt(box) : (task.leftOut ?? text.charAt(box)),
    state: stateOf(task),
    says: () => taskContent([task.text, task.details, task.isParallel]),
    edits: (status) => [{ offset: box, length: 1, text: status }],
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let position = text.indexOf('\n'); position !== -1; position = text.indexOf('\n', position + 1))
    starts.push(position + 1)
  return starts
}
