// A route as the file of its resource declares it: input, answer, scope and handler. Its path is in paths.ts, under the same name.
import * as z from 'zod'
import type { RunNow, TaskView } from '../../view.ts'
import { readSummary, readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import type { Project } from '../projects/projects.ts'
import type { Scope, Token } from '../tokens/token.ts'
import { OF_PROJECT, OF_RUN, OF_TASK } from './inputs.ts'
import { type Reply, refusal } from './refusal.ts'

/** JSON of this shape, or text of one of these media types. */
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
type TaskCall<Input> = RunCall<Input> & { task: TaskView }

type TextBody = string | AsyncIterable<Uint8Array>
/** Default type: the first of the route. A body that is no string is a stream. */
export type Text = { type?: string; body: TextBody }

type Handled<T> = Reply<T> & { cookie?: string }
type AnswerOf<A> = A extends z.ZodType ? z.output<A> : Text
type Declared<Input extends z.ZodRawShape, A extends AnswerShape, C> = Omit<RouteShape, 'input' | 'answer'> & {
  input: Input
  answer: A
  handle(call: C): Promise<Handled<AnswerOf<A>>>
}
type Given<Input extends z.ZodRawShape> = z.output<z.ZodObject<Input>>

export function route<I extends z.ZodRawShape, A extends AnswerShape>(
  declared: Declared<I, A, Call<Given<I>>>,
): Route<z.ZodObject<I>, A> {
  return { ...declared, input: z.object(declared.input) } as Route<z.ZodObject<I>, A>
}

/** A route of a project, which exists when the handler is called. */
export function projectRoute<I extends z.ZodRawShape, A extends AnswerShape>({
  handle,
  ...declared
}: Declared<I, A, ProjectCall<Given<typeof OF_PROJECT & I>>>) {
  return route({
    ...declared,
    input: { ...OF_PROJECT, ...declared.input },
    handle: async (call) => {
      const given = call as unknown as Call<Given<typeof OF_PROJECT & I>>
      const project = await findProject(given.context, (given.input as Given<typeof OF_PROJECT>).project)
      return project.ok ? handle({ ...given, project: project.value, workspace: project.value.workspace }) : project
    },
  })
}

/** A route of a run, which exists when the handler is called. */
export function runRoute<I extends z.ZodRawShape, A extends AnswerShape>({
  handle,
  ...declared
}: Declared<I, A, RunCall<Given<typeof OF_RUN & I>>>) {
  return projectRoute({
    ...declared,
    input: { ...OF_RUN, ...declared.input },
    handle: async (call) => {
      const given = call as unknown as ProjectCall<Given<typeof OF_RUN & I>>
      const { run } = given.input as Given<typeof OF_RUN>
      const found = await readSummary(given.workspace, { run })
      if (!found.ok) return found
      if (!found.value) return refusal('not-found', `project ${given.project.id} has no run ${run}`)
      return handle({ ...given, run: found.value })
    },
  })
}

/** A route of a task, which exists when the handler is called. */
export function taskRoute<I extends z.ZodRawShape, A extends AnswerShape>({
  handle,
  ...declared
}: Declared<I, A, TaskCall<Given<typeof OF_TASK & I>>>) {
  return runRoute({
    ...declared,
    input: { ...OF_TASK, ...declared.input },
    handle: async (call) => {
      const given = call as unknown as RunCall<Given<typeof OF_TASK & I>>
      const { run, task } = given.input as Given<typeof OF_TASK>
      const found = await readTaskView(given.workspace, { run, task })
      if (!found.ok) return found
      return found.value
        ? handle({ ...given, task: found.value })
        : refusal('not-found', `run ${run} has no task ${task}`)
    },
  })
}

export async function findProject(context: ServerContext, id: string): Promise<Reply<Project>> {
  return (await context.projects.get(id)) ?? refusal('not-found', `there is no project ${id}`)
}

/** Default: the only project. `where`: the field or flag that names one. */
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
 * A schema that is only a type: the client has it as such, and OpenAPI says in words what it is. For answers that are the JSON
 * output of a command or of a function of the library, whose fields are documented there.
 */
export function shape<T>(description: string): z.ZodType<T, T> {
  return z.custom<T>((value) => value !== undefined).describe(description)
}

/** A page of a list: `next` is what to ask `after`, and null at its end. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().nullable() })
}

export function pageInput(most: number) {
  return {
    after: z.string().max(200).optional().describe('what `next` of the page before said'),
    limit: z.number().int().min(1).max(most).default(Math.min(most, 100)),
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
