// `GET /api/events` without an upgrade: server-sent events.

import type { ServerContext } from '../context.ts'
import { eventsRequest } from '../events/request.ts'
import { serverSentEvents } from '../events/server-sent.ts'
import { admit } from '../guard/guard.ts'
import { EVENTS_PATH } from '../protocol/paths.ts'
import { refusal } from '../routes/reply.ts'
import type { App } from './app.ts'
import { respondRefusal } from './respond.ts'

export function addEventsRoute({ hono, rates, streams }: App, context: ServerContext, stopping: AbortSignal): void {
  hono.get(EVENTS_PATH, async (c) => {
    const entry = admit(c.env.incoming, { scope: 'read', needsOrigin: false }, context, rates)
    if (entry.kind === 'refused') return respondRefusal(entry)
    const asked = await eventsRequest(new URL(c.req.url).searchParams, c.req.header('last-event-id'), context)
    if (asked.kind === 'refused') return respondRefusal(asked)
    const { token } = entry
    const open = token && streams.open(token)
    if (!open) return respondRefusal(refusal('not-ready', 'as many streams are open as may be'))
    const signal = AbortSignal.any([c.req.raw.signal, stopping])
    const isRevoked = () => !context.tokens.tokens().some(({ id }) => id === token.id)
    const destroy = () => void c.env.outgoing.destroy()
    return serverSentEvents(asked.request, context, { signal, onEnd: () => open[Symbol.dispose](), isRevoked, destroy })
  })
}
