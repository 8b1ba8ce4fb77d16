// Routes of workers: behind the same guard as all routes, with a scope of their own. They are not in the table of routes, because
// only workers use them, and some carry packs. The server keeps no state of its own: workers and assignments are in Postgres,
// objects go into the engine's repository, output into the state folder, and results to the engine as requests.
//
// Properties
// - A worker speaks only for itself: its name belongs to the token it joined with.
// - Objects and output are taken only for an assignment that is this worker's now. A result is passed on in any case: the engine
//   refuses what comes too late, and counts what it cost.
// - Paths are made here, of checked names.
import { join, relative } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { answerHere } from '../../engine/requests/agent-tool-calls.ts'
import { writeOutput } from '../../fleet/copy-output-of-workers.ts'
import type { Assignment, Assignments } from '../../fleet/fleet-database.ts'
import { FLEET } from '../../fleet/limits.ts'
import { isResultOf, orderFolder } from '../../fleet/orders.ts'
import * as protocol from '../../fleet/protocol.ts'
import { mapped, ok, type Result } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import { admit } from '../guard/guard.ts'
import type { App } from '../http/app.ts'
import { checked, readBody } from '../http/input.ts'
import { respondJson, respondRefusal, SAFE_HEADERS } from '../http/respond.ts'
import type { Project } from '../projects/projects.ts'
import { type Reply, refusal } from '../resources/refusal.ts'
import { onlyProject } from '../resources/route.ts'
import type { Token } from '../tokens/token-store.ts'
import { WorkerCommits } from './worker-commits.ts'

type HttpContext = Context<{ Bindings: HttpBindings }>

type Caller = { name: string; project: Project; workspace: Workspace; fleet: Assignments }
type Assigned = Caller & { assignment: Assignment }
const TAKEN = { taken: true } as const

export function addWorkerRoutes({ hono, rates }: App, context: ServerContext, stopping: AbortSignal): void {
  const commits = new WorkerCommits()
  const route = <S extends z.ZodType>(
    path: string,
    schema: S,
    answer: (given: z.output<S>, token: Token, c: HttpContext) => Promise<Reply<object>>,
  ) =>
    hono.post(`${protocol.WORKER_PATH}/${path}`, async (c) => {
      const entry = admit(c.env.incoming, { scope: 'worker', needsOrigin: false }, context, rates)
      if (!entry.ok) return respondRefusal(entry)
      const isPack = path === 'pack'
      const query = () => ok(Object.fromEntries(new URL(c.req.url).searchParams))
      const given = isPack ? query() : await readBody(c.req.raw, { large: true }, context)
      if (!given.ok) return respondRefusal(given)
      const read = checked(schema, given.value)
      if (!read.ok) return respondRefusal(read)
      const reply = await answer(read.value, entry.value as Token, c)
      return reply.ok ? respond(reply.value) : respondRefusal(reply)
    })
  const ofWorker = <S extends z.ZodType<Named>>(
    path: string,
    schema: S,
    answer: (given: z.output<S>, caller: Caller, c: HttpContext) => Promise<Reply<object>>,
  ) =>
    route(path, schema, async (given, token, c) => {
      const caller = await callerOf(context, given, token)
      return caller.ok ? answer(given, caller.value, c) : caller
    })
  /** `state`: `any` includes assignments that are finished or were taken away. */
  const ofAssignment = <S extends z.ZodType<Named & { job: string }>>(
    path: string,
    schema: S,
    answer: (given: z.output<S>, assigned: Assigned, c: HttpContext) => Promise<Reply<object>>,
    state: 'active' | 'any' = 'active',
  ) =>
    ofWorker(path, schema, async (given, caller, c) => {
      const assignment = await caller.fleet.mine(given.name, given.job, state)
      if (!assignment) return refusal('refused', 'this is not its assignment any more')
      return answer(given, { ...caller, assignment }, c)
    })

  route('join', protocol.joinSchema, (given, token) => joined(context, given, token))
  ofWorker('beat', protocol.beatSchema, async (given, { fleet }) => ok({ over: await fleet.beat(given) }))
  ofWorker('next', protocol.nextSchema, (given, caller, c) =>
    next(given, caller, AbortSignal.any([c.req.raw.signal, stopping])),
  )
  ofWorker('leave', protocol.leaveSchema, async (_, { name, fleet }) => {
    await fleet.leave(name)
    return ok({ left: true })
  })
  ofAssignment('objects', protocol.fetchSchema, (given, assigned) => commits.give(assigned, given))
  ofAssignment('pack', protocol.packSchema, async (given, assigned, c) => {
    const { body } = c.req.raw
    if (body === null) return refusal('invalid-request', 'the pack is missing')
    return commits.take(assigned, given.commit, body as unknown as AsyncIterable<Uint8Array>)
  })
  ofAssignment('output', protocol.outputSchema, output)
  ofAssignment('report', protocol.reportedSchema, report)
  ofAssignment(
    'result',
    protocol.resultSchema,
    async ({ fact }, { name, workspace, fleet, assignment: { job, run, order } }) => {
      if (!isResultOf(order, fact)) return refusal('refused', 'this is the result of something else')
      // Known only in the engine's own repository: a shared one may have the commit already.
      const isNew =
        workspace.engineRepository === null &&
        fact.type === 'attempt.finished' &&
        fact.commit !== null &&
        commits.isUploadOf(fact.commit, job)
      const written = await writeTo(workspace, (store) => store.request(run, isNew ? { ...fact, isNew } : fact))
      if (written.ok) await fleet.done(name, job)
      return written
    },
    'any',
  )
  ofAssignment('ask', protocol.askingSchema, async ({ ask }, { workspace, assignment: { run, order } }) => {
    if (order.kind !== 'attempt') return refusal('refused', 'a verification has no task to ask about')
    const identity = { stateRoot: workspace.folder.root, run, task: order.task.id, attempt: order.attempt }
    const here = { folder: workspace.folder, write: workspace.write.bind(workspace) }
    return ok(await answerHere({ ...identity, token: order.token }, ask, here))
  })
}

type Named = { name: string; project: string }
type Given<S extends z.ZodType> = z.output<S>

async function joined(context: ServerContext, join: protocol.Join, token: Token): Promise<Reply<protocol.Joined>> {
  const found = await fleetOf(context, join.project)
  if (!found.ok) return found
  const { project, workspace, fleet } = found.value
  const user = await workspace.user()
  if (!user.ok) return user
  if (!(await fleet.join(join, token.id)))
    return refusal('refused', `another worker is there as ${join.name}, with another token: choose another --name`)
  const { objectFormat, identity, signsOff, checkout, excludes } = user.value
  return ok({
    ...{ project: project.id, heartbeatMs: FLEET.heartbeatMs, leaseMs: FLEET.leaseMs, now: Date.now() },
    version: context.version,
    repository: { objectFormat, identity, signsOff, checkout: { ...checkout }, excludes },
  })
}

async function fleetOf(context: ServerContext, id: string | undefined): Promise<Reply<Omit<Caller, 'name'>>> {
  const project = await onlyProject(context, id, '--project')
  if (!project.ok) return project
  const { workspace } = project.value
  return mapped(await context.fleets.of(project.value), (fleet) => ({ project: project.value, workspace, fleet }))
}

async function callerOf(context: ServerContext, { name, project }: Named, token: Token): Promise<Reply<Caller>> {
  const found = await fleetOf(context, project)
  if (!found.ok) return found
  const owner = await found.value.fleet.tokenOf(name)
  if (owner === null) return refusal('not-found', `there is no worker ${name}: it has to join first`)
  if (owner !== token.id) return refusal('scope-missing', `${name} joined with another token`)
  return ok({ name, ...found.value })
}

/** Long poll: answers when there is something for the worker. */
async function next(
  { jobs, heard, isFirst }: Given<typeof protocol.nextSchema>,
  { name, fleet }: Caller,
  signal: AbortSignal,
): Promise<Reply<protocol.Next>> {
  const end = performance.now() + (isFirst ? 0 : FLEET.pollMs)
  for (;;) {
    const [taken, messages] = await Promise.all([fleet.take(name, jobs, isFirst), fleet.messages(name, heard)])
    const orders = taken.map(({ job, order }) => ({ job, order }))
    const leftMs = end - performance.now()
    if (orders.length + messages.length > 0 || leftMs <= 0 || signal.aborted) return ok({ orders, messages })
    await fleet.woken(name, Math.min(leftMs, FLEET.lookAgainMs), signal)
  }
}

/** `taken: false`: this file cannot be kept; the worker continues with the next. */
async function output(
  { file, offset, data: text }: Given<typeof protocol.outputSchema>,
  { workspace, fleet, assignment: { run, order } }: Assigned,
): Promise<Reply<{ taken: boolean }>> {
  const { folder, engineRepository } = workspace
  const here = orderFolder(folder, order)
  const data = Buffer.from(text, 'base64')
  const isCollected = /^(?:artifacts|junit)\//.test(file)
  const most = isCollected ? LIMITS.artifactBytes : Math.max(order.settings.logs.maxBytes, FLEET.outputBytes)
  if (offset + data.length > most) return ok({ taken: false })
  if (engineRepository === null) return ok({ taken: await writeOutput(join(here, file), offset, data) })
  // The engine may be on another machine.
  await fleet.keepOutput(run, { folder: relative(folder.root, here), file, offset, data })
  return ok(TAKEN)
}

async function report(
  given: Given<typeof protocol.reportedSchema>,
  { workspace, assignment: { run, order } }: Assigned,
): Promise<Reply<object>> {
  if (order.kind !== 'attempt') return refusal('refused', 'a verification has nothing to report but its verdict')
  const its = { task: order.task.id, attempt: order.attempt }
  const facts = given.facts.filter(({ task, attempt }) => task === its.task && attempt === its.attempt)
  const progress = given.progress.map((one) => ({ type: 'attempt.progress' as const, ...its, ...one }))
  return writeTo(workspace, async (store) => {
    for (const fact of facts) await store.request(run, fact)
    if (progress.length > 0) await store.addProgress(run, progress)
  })
}

/** Writes to the store. If the worker gets no answer `taken`, it tries again. */
async function writeTo(workspace: Workspace, write: (store: Store) => Promise<unknown>): Promise<Reply<typeof TAKEN>> {
  const written: Result<void> = await workspace.write(async (store) => {
    await write(store)
    return ok(undefined)
  })
  if (written.ok) return ok(TAKEN)
  return refusal('not-ready', written.problems[0]?.message ?? 'it cannot be written at the moment')
}

function respond(answer: object): Response {
  if (!(Symbol.asyncIterator in answer)) return respondJson(answer, {})
  const pack = ReadableStream.from(answer as AsyncIterable<Uint8Array>)
  return new Response(pack, { headers: { ...SAFE_HEADERS, 'content-type': 'application/x-git-pack' } })
}
