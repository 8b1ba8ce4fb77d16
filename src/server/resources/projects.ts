import * as z from 'zod'
import { ok } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { ServerContext } from '../context.ts'
import type { ListedProject } from '../projects/project-file.ts'
import { route } from './route.ts'

const project = z.object({
  id: z.string(),
  repo: z.string().describe('the top of the checkout'),
  stateDir: z.string(),
  engine: z.object({ pid: z.number() }).nullable(),
  cursor: z.string().describe('of its newest event: to follow what comes after'),
  trouble: z.string().nullable().describe('why it cannot be used, if it cannot'),
})

export const projectRoutes = {
  'projects.list': route({
    scope: 'read',
    summary: 'The repositories that this server has',
    input: {},
    answer: z.object({ items: z.array(project) }),
    handle: async ({ context }) => {
      const listed = context.projects.list()
      return listed.ok ? ok({ items: await Promise.all(listed.value.map((one) => shown(context, one))) }) : listed
    },
  }),
}

async function shown({ projects }: ServerContext, { id, repo }: ListedProject) {
  const opened = await projects.get(id)
  if (opened?.ok) {
    const { workspace } = opened.value
    const cursor = String(await opened.value.hub.cursor())
    return { id, repo, stateDir: workspace.folder.root, engine: workspace.engine, cursor, trouble: null }
  }
  const trouble = opened ? (opened.problems[0]?.message ?? jsonText(opened.problems)) : 'it was removed'
  return { id, repo, stateDir: projects.stateDirOf({ id, repo }), engine: null, cursor: '0', trouble }
}
