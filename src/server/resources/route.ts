// A route as the file of its resource declares it: input, answer, scope and handler. Its path is in route-paths.ts, under the same name.
import * as z from 'zod'
import { ok } from '../../problem.ts'
import type { RunNow } from '../../view.ts'
import { readSummary, readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import type { Project } from '../projects/projects.ts'
import type { Scope, Token } from '../tokens/token-store.ts'
import { type Reply, refusal } from './refusal.ts'
import { OF_PROJECT, OF_RUN, OF_TASK, whole } from './shared-inputs.ts'

/** JSON of a schema, or text of one of these media types. */
type AnswerShape = z.ZodType | readonly string[]

export type RouteShape = {
  /** `public`: without a token. */
  scope: Scope | 'public'
  summary: string
  /** The words of its path, and the query of a GET or DELETE or the JSON of a POST or PATCH. */
  input: z.ZodObject
  answer: AnswerShape
  /** Default: 200. */
  status?: 200 | 201 | 202
  /** Its request may carry a plan. */
  large?: true
}

export type Route<Input extends z.ZodObject = z.ZodObject, Answer extends AnswerShape = AnswerShape> = RouteShape & {
  input: Input
  answer: Answer
  handle(call: Call<object>): Promise<Handled<unknown>>
}

export type Call<Input> = {
  input: Input
  context: ServerContext
  /** Null only on public routes. */
  token: Token | null
  /** Ends with the connection. A function, because making it doubles the cost of a request. */
  signal(): AbortSignal
}
export type ProjectCall<Input = object> = Call<Input> & { project: Project; workspace: Workspace }
export type RunCall<Input = object> = ProjectCall<Input> & { run: RunNow }

/** Default type: the first of the route. A body that is no string is a stream. */
export type Text = { type?: string; body: string | AsyncIterable<Uint8Array> }

type Handled<T> = Reply<T> & { cookie?: string }
type Declared<Input extends z.ZodRawShape, A extends AnswerShape, C> = Omit<RouteShape, 'input' | 'answer'> & {
  /** Fields besides the words of its path. Default: none. */
  input?: Input
  answer: A
  handle(call: C): Promise<Handled<A extends z.ZodType ? z.output<A> : Text>>
}
type Given<Input extends z.ZodRawShape> = z.output<z.ZodObject<Input>>

export function route<A extends AnswerShape, I extends z.ZodRawShape = Record<never, never>>(
  declared: Declared<I, A, Call<Given<I>>>,
): Route<z.ZodObject<I>, A> {
  return { ...declared, input: z.object(declared.input) } as Route<z.ZodObject<I>, A>
}

/** Makes routes of something that exists when their handler is called: `find` looks it up by the fields `own`. */
export function routesOf<Own extends z.ZodRawShape, Found>(
  own: Own,
  find: (call: Call<Given<Own>>) => Promise<Reply<Found>>,
) {
  return <A extends AnswerShape, I extends z.ZodRawShape = Record<never, never>>({
    handle,
    input,
    ...declared
  }: Declared<I, A, Call<Given<Own & I>> & Found>) =>
    route({
      ...declared,
      input: { ...own, ...input } as Own & I,
      handle: async (call) => {
        const found = await find(call as unknown as Call<Given<Own>>)
        return found.ok ? handle({ ...call, ...found.value }) : found
      },
    })
}

export const projectRoute = routesOf(OF_PROJECT, projectOf)
export const runRoute = routesOf(OF_RUN, runOf)
export const taskRoute = routesOf(OF_TASK, async (call) => {
  const found = await runOf(call)
  if (!found.ok) return found
  const { run, task: name } = call.input
  const task = await readTaskView(found.value.workspace, { run, task: name })
  if (!task.ok) return task
  return task.value ? ok({ ...found.value, task: task.value }) : refusal('not-found', `run ${run} has no task ${name}`)
})

export async function projectOf({ context, input }: Call<Given<typeof OF_PROJECT>>) {
  const project = await findProject(context, input.project)
  return project.ok ? ok({ project: project.value, workspace: project.value.workspace }) : project
}

async function runOf(call: Call<Given<typeof OF_RUN>>) {
  const found = await projectOf(call)
  if (!found.ok) return found
  const { run: id, project } = call.input
  const run = await readSummary(found.value.workspace, { run: id })
  if (!run.ok) return run
  return run.value
    ? ok({ ...found.value, run: run.value })
    : refusal('not-found', `project ${project} has no run ${id}`)
}

export async function findProject(context: ServerContext, id: string): Promise<Reply<Project>> {
  return (await context.projects.get(id)) ?? refusal('not-found', `there is no project ${id}`)
}

/** Finds a project by its id. Default: the only project. `where`: the field or flag that names one. */
export async function onlyProject(
  context: ServerContext,
  id: string | undefined,
  where: string,
): Promise<Reply<Project>> {
  if (id !== undefined) return findProject(context, id)
  const listed = context.projects.list()
  if (!listed.ok) return listed
  const [only, ...others] = listed.value
  if (only && others.length === 0) return findProject(context, only.id)
  return refusal('invalid-request', `the server has several projects, or none: name one with ${where}`)
}

export function isText(answer: AnswerShape): answer is readonly string[] {
  return Array.isArray(answer)
}

/**
 * A schema that is only a type, for the client; OpenAPI describes it in words. For answers that are the JSON
 * output of a command or of a function of the library, whose fields are documented there.
 */
export function shape<T>(description: string): z.ZodType<T, T> {
  return z.custom<T>((value) => value !== undefined).describe(description)
}

/** A page of a list: `next` is the value for `after` of the next page, and null on the last one. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().nullable() })
}

export function pageInput(most: number) {
  return {
    after: z.string().max(200).optional().describe('what `next` of the page before said'),
    limit: whole(1, most).default(Math.min(most, 100)),
  }
}

/** The page after the item with that name; the first page if that item is gone. */
export function pageOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  { after, limit }: { after?: string | undefined; limit: number },
): { items: T[]; next: string | null } {
  const from = after === undefined ? 0 : all.findIndex((item) => nameOf(item) === after) + 1
  const items = all.slice(from, from + limit)
  const last = items.at(-1)
  return { items, next: last !== undefined && from + limit < all.length ? nameOf(last) : null }
}
