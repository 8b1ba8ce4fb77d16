// The query of a request for events.
import * as z from 'zod'
import { ok } from '../../problem.ts'
import { ID_PATTERN } from '../../task.ts'
import type { ServerContext } from '../context.ts'
import { checked, fromQuery } from '../http/input.ts'
import { type Reply, refusal } from '../resources/refusal.ts'
import { findProject } from '../resources/route.ts'
import { projectId } from '../resources/shared-inputs.ts'
import { parsePosition, type Subscription } from './subscription.ts'

export const eventsInput = z.strictObject({
  project: projectId.optional().describe('default: all projects'),
  run: z.string().regex(ID_PATTERN).optional().describe('default: all runs of the project'),
  after: z
    .string()
    .max(20_000)
    .optional()
    .describe('a cursor: what came after it, then live. 0: from the beginning. Default: only live'),
  view: z
    .enum(['all', 'journal', 'batches'])
    .default('all')
    .describe(
      'journal: without what agents are doing right now. batches: batch_start, task_start, task_complete, batch_complete',
    ),
})

export type EventsRequest = Omit<Subscription, 'signal'>

export async function eventsRequest(query: URLSearchParams, context: ServerContext): Promise<Reply<EventsRequest>> {
  const input = checked(eventsInput, fromQuery(eventsInput, query))
  if (!input.ok) return input
  const { project, run, view, after } = input.value
  if (run !== undefined && project === undefined) return refusal('invalid-request', 'run: name its project, too')
  const position = after === undefined ? null : parsePosition(after)
  if (after !== undefined && position === null) return refusal('invalid-request', 'after: this is no cursor')
  const one = project === undefined ? null : await findProject(context, project)
  if (one && !one.ok) return one
  const projects = one ? [one.value] : await context.projects.all()
  const cursors = new Map<string, number>()
  for (const { id, hub } of projects) cursors.set(id, position ? position(id) : await hub.cursor())
  return ok({ projects, isOne: project !== undefined, after: cursors, run, view })
}
