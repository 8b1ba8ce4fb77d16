// Tasks of a run: what they were told, what they printed and changed, and what waits for a person.
import * as z from 'zod'
import type { ConflictSides } from '../../engine/query/conflict.ts'
import type { OpenedWork } from '../../engine/query/open-task-worktree.ts'
import type { OpenedConflict } from '../../engine/resolve/resolve-conflict-by-hand.ts'
import { TASK_STATUSES } from '../../status.ts'
import { taskView } from '../../view.ts'
import { ofRun, ofTask } from './inputs.ts'
import { page, pageInput, type RouteShape } from './route.ts'
import { shape } from './shape.ts'

const attempt = z.number().int().min(1).max(100_000)
const bytes = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40)

export const taskRoutes = {
  'tasks.list': {
    scope: 'read',
    summary: 'Tasks in the order of the plan',
    input: z.object({ ...ofRun, ...pageInput(10_000), status: z.enum(TASK_STATUSES).optional() }),
    answer: page(taskView),
  },
  'tasks.get': { scope: 'read', summary: 'A task with its attempts', input: z.object(ofTask), answer: taskView },
  'tasks.cancel': {
    scope: 'run',
    summary: 'Cancel one task',
    input: z.object(ofTask),
    answer: z.object({
      run: z.string(),
      task: z.string().nullable(),
      delivered: z.enum(['to-engine', 'carried-out', 'recorded']),
      again: z.boolean(),
    }),
    status: 202,
  },
  'tasks.change': {
    scope: 'run',
    summary: 'Change the priority of a task while its run goes on: higher goes first, and what has started goes on',
    input: z.object({ ...ofTask, priority: z.number().min(-1e6).max(1e6) }),
    answer: z.object({
      run: z.string(),
      task: z.string(),
      priority: z.number(),
      delivered: z.enum(['to-engine', 'recorded']).describe('recorded: the next resume begins with it'),
    }),
    status: 202,
  },
  'tasks.open': {
    scope: 'run',
    summary: 'Make a folder on the machine of the server with the work of its last attempt (`espalier open`)',
    input: z.object(ofTask),
    answer: shape<OpenedWork>('{run, task, attempt, path, kind, command}'),
    status: 201,
  },
  'tasks.prompt': {
    scope: 'read',
    summary: 'What its agent was told; without an attempt, what the next one would be told',
    input: z.object({ ...ofTask, attempt: attempt.optional() }),
    answer: ['text/markdown'],
  },
  'tasks.log': {
    scope: 'read',
    summary: 'What an attempt printed, as it is: never interpreted. `follow` goes on until the attempt ends',
    input: z.object({
      ...ofTask,
      attempt: attempt.optional().describe('default: the last'),
      follow: z.boolean().default(false),
      from: bytes.default(0).describe('leave out so many bytes'),
      limit: bytes.optional().describe('at most so many bytes'),
    }),
    answer: ['text/plain'],
  },
  'tasks.transcript': {
    scope: 'read',
    summary: 'The same in readable form: messages, a line for each tool call, the cost',
    input: z.object({ ...ofTask, attempt: attempt.optional(), follow: z.boolean().default(false) }),
    answer: ['text/plain'],
  },
  'tasks.diff': {
    scope: 'read',
    summary: 'What an attempt changed against its base, or the task as it landed',
    input: z.object({
      ...ofTask,
      attempt: attempt.optional().describe('default: the last with work'),
      landed: z.boolean().default(false),
    }),
    answer: ['text/x-diff'],
  },
  'tasks.conflict': {
    scope: 'read',
    summary:
      'Its conflict as a three-way view: each file as it was, on the branch, in the work, and merged as far as git could',
    input: z.object(ofTask),
    answer: shape<ConflictSides>(
      '{commit, base, branch, work, files: [{path, kind, base, branch, work, merged}], leftOut}',
    ),
  },
  'tasks.openConflict': {
    scope: 'run',
    summary: 'Make a worktree on the machine of the server in which its conflict can be resolved',
    input: z.object(ofTask),
    answer: shape<OpenedConflict>('{run, task, path, files, others, isNew}'),
    status: 201,
  },
  'tasks.answerConflict': {
    scope: 'run',
    summary: 'Hand back what is in that worktree, or give up; continue the run where no engine works on it',
    input: z.object({ ...ofTask, answer: z.enum(['resolved', 'give-up']) }),
    answer: z.object({
      run: z.string(),
      task: z.string(),
      delivered: z.enum(['to-engine', 'recorded']),
      pid: z.number().nullable().describe('the engine that was started to continue the run'),
    }),
    status: 202,
  },
} as const satisfies Record<string, RouteShape>
