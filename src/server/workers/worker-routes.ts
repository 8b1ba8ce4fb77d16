// The routes of workers: behind the same guard as all others, with a scope of their own. They are no rows of the table, because
// nobody but a worker uses them, and some carry packs.
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type * as z from 'zod'
import * as protocol from '../../fleet/protocol.ts'
import type { ServerContext } from '../context.ts'
import { readBody } from '../guard/body.ts'
import { admit } from '../guard/guard.ts'
import type { App } from '../http/app.ts'
import { inputProblems } from '../http/input.ts'
import { respondJson, respondRefusal, SAFE_HEADERS } from '../http/respond.ts'
import { type Refusal, refusal } from '../routes/reply.ts'
import type { Token } from '../tokens/token.ts'
import type { WorkerDesk } from './worker-desk.ts'

type HttpContext = Context<{ Bindings: HttpBindings }>
type Answer = object | Refusal

export function addWorkerRoutes(
  { hono, rates }: App,
  context: ServerContext,
  desk: WorkerDesk,
  stopping: AbortSignal,
): void {
  const admitted = (c: HttpContext): Token | Response => {
    const entry = admit(c.env.incoming, { scope: 'worker', needsOrigin: false }, context, rates)
    if (entry.kind === 'refused') return respondRefusal(entry)
    return entry.token ?? respondRefusal(refusal('not-authenticated', 'a token is missing'))
  }
  const checked = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> | Response => {
    const read = schema.safeParse(value)
    return read.success ? read.data : respondRefusal(refusal('invalid-request', inputProblems(read.error).join('; ')))
  }
  const route = <S extends z.ZodType>(
    path: string,
    schema: S,
    answer: (said: z.output<S>, token: Token, c: HttpContext) => Promise<Answer>,
  ) =>
    hono.post(`${protocol.WORKER_PATH}/${path}`, async (c) => {
      const token = admitted(c)
      if (token instanceof Response) return token
      const body = await readBody(c.req.raw, { large: true }, context)
      if (body.kind === 'refused') return respondRefusal(body)
      const said = checked(schema, body.value)
      return said instanceof Response ? said : respond(await answer(said, token, c))
    })

  route('join', protocol.joinSchema, (said, token) => desk.join(said, token))
  route('beat', protocol.beatSchema, (said, token) => desk.beat(said, token))
  route('next', protocol.nextSchema, (said, token, c) =>
    desk.next(said, token, AbortSignal.any([c.req.raw.signal, stopping])),
  )
  route('output', protocol.outputSchema, (said, token) => desk.output(said, token))
  route('report', protocol.reportedSchema, (said, token) => desk.report(said, token))
  route('result', protocol.resultSchema, (said, token) => desk.result(said, token))
  route('ask', protocol.askingSchema, (said, token) => desk.ask(said, token))
  route('leave', protocol.leaveSchema, (said, token) => desk.leave(said, token))
  route('objects', protocol.fetchSchema, (said, token) => desk.objects(said, token))

  hono.post(`${protocol.WORKER_PATH}/pack`, async (c) => {
    const token = admitted(c)
    if (token instanceof Response) return token
    const said = checked(protocol.packSchema, Object.fromEntries(new URL(c.req.url).searchParams))
    if (said instanceof Response) return said
    const body = c.req.raw.body
    if (body === null) return respondRefusal(refusal('invalid-request', 'the pack is missing'))
    return respond(await desk.pack(said, token, body as unknown as AsyncIterable<Uint8Array>))
  })
}

function respond(answer: Answer): Response {
  if ('kind' in answer && answer.kind === 'refused') return respondRefusal(answer as Refusal)
  if (Symbol.asyncIterator in answer) {
    const pack = ReadableStream.from(answer as AsyncIterable<Uint8Array>)
    return new Response(pack, { headers: { ...SAFE_HEADERS, 'content-type': 'application/x-git-pack' } })
  }
  return respondJson({ kind: 'json', value: answer }, 200, undefined)
}
