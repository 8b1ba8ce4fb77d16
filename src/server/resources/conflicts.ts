// The conflict of a task, which a person resolves.
import * as z from 'zod'
import { type ConflictSides, readConflictSides } from '../../engine/query/conflict.ts'
import { giveUp, handBack, type OpenedConflict, openConflict } from '../../engine/resolve/resolve-conflict-by-hand.ts'
import { ok } from '../../problem.ts'
import { startEngine } from '../engines/start.ts'
import { shape, taskRoute } from './route.ts'

export const conflictRoutes = {
  'tasks.conflict': taskRoute({
    scope: 'read',
    summary:
      'Its conflict as a three-way view: each file as it was, on the branch, in the work, and merged as far as git could',
    input: {},
    answer: shape<ConflictSides>(
      '{commit, base, branch, work, files: [{path, kind, base, branch, work, merged}], leftOut}',
    ),
    handle: ({ workspace, input: { run, task } }) => readConflictSides(workspace, { run, task }),
  }),

  'tasks.openConflict': taskRoute({
    scope: 'run',
    summary: 'Make a worktree on the machine of the server in which its conflict can be resolved',
    input: {},
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
      const started = await startEngine(call, ['resume'], [], ['--', run])
      return ok({ ...answered.value, pid: started.ok ? started.value.pid : null })
    },
  }),
}
