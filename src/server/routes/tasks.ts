// Tasks: their prompts, logs and diffs are read from where the engine keeps them, by the ids that the journal has. Nothing
// of a path comes from a request.

import { readLog } from '../../engine/query/attempt-output.ts'
import { readConflictSides } from '../../engine/query/conflict.ts'
import { readDiff } from '../../engine/query/diff.ts'
import { openWork } from '../../engine/query/open-task-worktree.ts'
import { readPrompt } from '../../engine/query/show-prompt.ts'
import { readTranscript } from '../../engine/query/transcript.ts'
import { requestCancel } from '../../engine/requests/cancel.ts'
import { requestPriority } from '../../engine/requests/change-priority.ts'
import { giveUp, handBack, openConflict } from '../../engine/resolve/resolve-conflict-by-hand.ts'
import type { TaskView } from '../../view.ts'
import { readRun, readTaskView } from '../../workspace/read-runs.ts'
import { startEngine } from '../engines/start.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, withRun } from './call.ts'
import { pageOf } from './page.ts'
import { give, giveResult, type Reply, refusal, refusedBy, text } from './reply.ts'

type Names = Extract<RouteName, `tasks.${string}`>

export const taskHandlers: Handlers<Names> = {
  'tasks.list': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const found = await readRun(workspace, { run })
      if (!found.ok) return refusedBy(found.problems)
      const { status } = call.input
      const all = found.value?.tasks ?? []
      const wanted = status === undefined ? all : all.filter((task) => task.status === status)
      return give(pageOf(wanted, ({ id }) => id, call.input))
    }),

  'tasks.get': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const task = await readTaskView(workspace, { run, task: call.input.task })
      if (!task.ok) return refusedBy(task.problems)
      return task.value ? give(task.value) : noTask(run, call.input.task)
    }),

  'tasks.cancel': (call) =>
    withTask(call, async ({ workspace }, { run, task }) => giveResult(await requestCancel(workspace, { run, task }))),

  'tasks.change': (call) =>
    withTask(call, async ({ workspace }, which) =>
      giveResult(await requestPriority(workspace, { ...which, priority: call.input.priority })),
    ),

  'tasks.open': (call) =>
    withTask(call, async ({ workspace }, { run, task }) => giveResult(await openWork(workspace, { run, name: task }))),

  'tasks.conflict': (call) =>
    withTask(call, async ({ workspace }, which) => giveResult(await readConflictSides(workspace, which))),

  'tasks.prompt': (call) =>
    withTask(call, async ({ workspace }, which) => {
      const prompt = await readPrompt(workspace, { ...which, attempt: call.input.attempt })
      return prompt.ok ? text('text/markdown', prompt.value) : refusedBy(prompt.problems)
    }),

  'tasks.log': (call) =>
    withTask(call, async ({ workspace }, which) => {
      const { attempt, follow, from, limit } = call.input
      const log = await readLog(workspace, { ...which, attempt, follow, signal: call.signal })
      if (!log.ok) return refusedBy(log.problems)
      return text('text/plain', part(log.value, from, limit ?? Number.POSITIVE_INFINITY))
    }),

  'tasks.transcript': (call) =>
    withTask(call, async ({ workspace }, which) => {
      const { attempt, follow } = call.input
      const read = await readTranscript(workspace, { ...which, attempt, follow, signal: call.signal })
      return read.ok ? text('text/plain', read.value) : refusedBy(read.problems)
    }),

  'tasks.diff': (call) =>
    withTask(call, async ({ workspace }, which) => {
      const { attempt, landed } = call.input
      const diff = await readDiff(workspace, { ...which, attempt, landed }, call.context.limits.diffBytes)
      if (!diff.ok) return refusedBy(diff.problems)
      const { patch, isCut } = diff.value
      const rest = isCut ? Buffer.from('\n… there is more of it: look at the commits with git\n') : Buffer.alloc(0)
      return text('text/x-diff', once(Buffer.concat([patch, rest])))
    }),

  'tasks.openConflict': (call) =>
    withTask(call, async ({ workspace }, which) => giveResult(await openConflict(workspace, which))),

  'tasks.answerConflict': (call) =>
    withTask(call, async ({ workspace }, which) => {
      const answer = call.input.answer === 'resolved' ? handBack : giveUp
      const answered = await answer(workspace, which)
      if (!answered.ok) return refusedBy(answered.problems)
      if (answered.value.delivered === 'to-engine') return give({ ...answered.value, pid: null })
      const args = ['resume', '--', which.run]
      const started = await startEngine(workspace, args, call.context.environment)
      return give({ ...answered.value, pid: started.ok ? started.value.pid : null })
    }),
}

type OfTask = Parameters<typeof withRun>[0] & { input: { task: string } }

function withTask(
  call: OfTask,
  use: (project: Project, which: { run: string; task: string }, view: TaskView) => Promise<Reply>,
): Promise<Reply> {
  return withRun(call, async (project, { run }) => {
    const { task } = call.input
    const known = await readTaskView(project.workspace, { run, task })
    if (!known.ok) return refusedBy(known.problems)
    return known.value ? use(project, { run, task }, known.value) : noTask(run, task)
  })
}

function noTask(run: string, task: string): Reply {
  return refusal('not-found', `run ${run} has no task ${task}`)
}

/** From a byte on, and not more than so many. */
async function* part(log: AsyncIterable<Buffer>, from: number, limit: number): AsyncGenerator<Buffer> {
  let [skip, left] = [from, limit]
  for await (const chunk of log) {
    const rest = chunk.subarray(Math.min(skip, chunk.length))
    skip -= chunk.length - rest.length
    const piece = rest.subarray(0, Math.min(left, rest.length))
    left -= piece.length
    if (piece.length > 0) yield piece
    if (left <= 0) return
  }
}

async function* once(buffer: Buffer): AsyncGenerator<Buffer> {
  yield buffer
}
