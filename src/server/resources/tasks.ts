// Tasks. Their prompts, logs and diffs are found by ids of the journal: no path comes from a request.
import { Readable } from 'node:stream'
import * as z from 'zod'
import { readLog, readTranscript } from '../../engine/query/attempt-output.ts'
import { readPrompt } from '../../engine/query/show-prompt.ts'
import {
  type ConflictSides,
  type OpenedWork,
  openWork,
  readConflictSides,
  readDiff,
} from '../../engine/query/work-of-task.ts'
import { requestCancel, requestPriority } from '../../engine/requests/change-run.ts'
import { giveUp, handBack, type OpenedConflict, openConflict } from '../../engine/resolve/resolve-conflict-by-hand.ts'
import { mapped, ok } from '../../problem.ts'
import { TASK_STATUSES } from '../../status.ts'
import { taskView } from '../../view.ts'
import { readRun } from '../../workspace/read-runs.ts'
import { startEngine } from '../engines/start.ts'
import { page, pageInput, pageOf, runRoute, shape, taskRoute } from './route.ts'
import { cancelled, whole } from './shared-inputs.ts'

const attempt = whole(1, 100_000)
const bytes = whole(0, 2 ** 40)

export const taskRoutes = {
  'tasks.list': runRoute({
    scope: 'read',
    summary: 'Tasks in the order of the plan',
    input: { ...pageInput(10_000), status: z.enum(TASK_STATUSES).optional() },
    answer: page(taskView),
    handle: async ({ workspace, input }) => {
      const { run, status } = input
      return mapped(await readRun(workspace, { run }), (view) => {
        const wanted = (view?.tasks ?? []).filter((task) => status === undefined || task.status === status)
        return pageOf(wanted, ({ id }) => id, input)
      })
    },
  }),

  'tasks.get': taskRoute({
    scope: 'read',
    summary: 'A task with its attempts',
    answer: taskView,
    handle: async ({ task }) => ok(task),
  }),

  'tasks.cancel': taskRoute({
    scope: 'run',
    summary: 'Cancel one task',
    answer: cancelled,
    status: 202,
    handle: ({ workspace, input: { run, task } }) => requestCancel(workspace, { run, task }),
  }),

  'tasks.change': taskRoute({
    scope: 'run',
    summary: 'Change the priority of a task while its run goes on: higher goes first, and what has started goes on',
    input: { priority: z.number().min(-1e6).max(1e6) },
    answer: z.object({
      run: z.string(),
      task: z.string(),
      priority: z.number(),
      delivered: z.enum(['to-engine', 'recorded']).describe('recorded: the next resume begins with it'),
    }),
    status: 202,
    handle: ({ workspace, input }) => requestPriority(workspace, input),
  }),

  'tasks.open': taskRoute({
    scope: 'run',
    summary: 'Make a folder on the machine of the server with the work of its last attempt (`espalier open`)',
    answer: shape<OpenedWork>('{run, task, attempt, path, kind, command}'),
    status: 201,
    handle: ({ workspace, input: { run, task } }) => openWork(workspace, { run, name: task }),
  }),

  'tasks.prompt': taskRoute({
    scope: 'read',
    summary: 'What its agent was told; without an attempt, what the next one would be told',
    input: { attempt: attempt.optional() },
    answer: ['text/markdown'],
    handle: async ({ workspace, input: { run, task, attempt } }) =>
      mapped(await readPrompt(workspace, { run, task, attempt }), (body) => ({ body })),
  }),

  'tasks.log': taskRoute({
    scope: 'read',
    summary: 'What an attempt printed, as it is: never interpreted. `follow` goes on until the attempt ends',
    input: {
      attempt: attempt.optional().describe('default: the last'),
      follow: z.boolean().default(false),
      from: bytes.default(0).describe('leave out so many bytes'),
      limit: bytes.optional().describe('at most so many bytes'),
    },
    answer: ['text/plain'],
    handle: async ({ workspace, signal, input: { run, task, attempt, follow, from, limit } }) =>
      mapped(await readLog(workspace, { run, task, attempt, follow, signal: signal() }), (log) => ({
        body: part(log, from, limit ?? Number.POSITIVE_INFINITY),
      })),
  }),

  'tasks.transcript': taskRoute({
    scope: 'read',
    summary: 'The same in readable form: messages, a line for each tool call, the cost',
    input: { attempt: attempt.optional(), follow: z.boolean().default(false) },
    answer: ['text/plain'],
    handle: async ({ workspace, signal, input: { run, task, attempt, follow } }) =>
      mapped(await readTranscript(workspace, { run, task, attempt, follow, signal: signal() }), (body) => ({ body })),
  }),

  'tasks.diff': taskRoute({
    scope: 'read',
    summary: 'What an attempt changed against its base, or the task as it landed',
    input: {
      attempt: attempt.optional().describe('default: the last with work'),
      landed: z.boolean().default(false),
    },
    answer: ['text/x-diff'],
    handle: async ({ workspace, context, input: { run, task, attempt, landed } }) => {
      const diff = await readDiff(workspace, { run, task, attempt, landed }, context.limits.diffBytes)
      return mapped(diff, ({ patch, isCut }) => ({
        body: Readable.from([isCut ? Buffer.concat([patch, CUT]) : patch]),
      }))
    },
  }),

  'tasks.conflict': taskRoute({
    scope: 'read',
    summary:
      'Its conflict as a three-way view: each file as it was, on the branch, in the work, and merged as far as git could',
    answer: shape<ConflictSides>(
      '{commit, base, branch, work, files: [{path, kind, base, branch, work, merged}], leftOut}',
    ),
    handle: ({ workspace, input: { run, task } }) => readConflictSides(workspace, { run, task }),
  }),

  'tasks.openConflict': taskRoute({
    scope: 'run',
    summary: 'Make a worktree on the machine of the server in which its conflict can be resolved',
    answer: shape<OpenedConflict>('{run, task, path, files, others, isNew}'),
    status: 201,
    handle: ({ workspace, input: { run, task } }) => openConflict(workspace, { run, task }),
  }),

  'tasks.answerConflict': taskRoute({
    scope: 'run',
    summary: 'Hand back what is in that worktree, or give up; continue the run where no engine works on it',
    input: { answer: z.enum(['resolved', 'give-up']) },
    answer: z.object({
      run: z.string(),
      task: z.string(),
      delivered: z.enum(['to-engine', 'recorded']),
      pid: z.number().nullable().describe('the engine that was started to continue the run'),
    }),
    status: 202,
    handle: async (call) => {
      const { run, task, answer } = call.input
      const answered = await (answer === 'resolved' ? handBack : giveUp)(call.workspace, { run, task })
      if (!answered.ok) return answered
      if (answered.value.delivered === 'to-engine') return ok({ ...answered.value, pid: null })
      const started = await startEngine(call, ['resume'], {}, ok(['--', run]))
      return ok({ ...answered.value, pid: started.ok ? started.value.pid : null })
    },
  }),
}

const CUT = Buffer.from('\n… there is more of it: look at the commits with git\n')

/** `limit` bytes from the byte `from` on. */
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
