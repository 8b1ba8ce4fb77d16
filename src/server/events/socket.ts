// Events on a WebSocket. Messages of clients are ignored; a client that does not read is disconnected with the reason, and
// comes back with its last cursor.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { untilAborted } from '../../async/until-aborted.ts'
import type { ServerContext } from '../context.ts'
import { admit } from '../guard/guard.ts'
import type { App } from '../http/app.ts'
import { respondRefusal } from '../http/respond.ts'
import { type Reply, refusal, refusalOf } from '../resources/refusal.ts'
import { EVENTS_PATH } from '../resources/route-paths.ts'
import { type EventsRequest, eventsRequest } from './request.ts'
import { formatPosition, subscribe } from './subscription.ts'

/** Close codes; 4000 and above are free for applications. */
const CLOSE = { stopping: 1001, slow: 4008, revoked: 4001, failed: 1011 } as const

export type Sockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

export function eventSockets(context: ServerContext, { rates, streams }: App): Sockets {
  const { limits } = context
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.messageBytes, perMessageDeflate: false })
  const closing = new AbortController()

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const entry = admit(request, { scope: 'read', needsOrigin: true }, context, rates)
    if (!entry.ok) return refuseUpgrade(socket, entry)
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname !== EVENTS_PATH) return refuseUpgrade(socket, refusal('not-found', 'there is no WebSocket here'))
    const asked = await eventsRequest(url.searchParams, context)
    if (!asked.ok) return refuseUpgrade(socket, asked)
    const open = entry.value && streams.open(entry.value)
    if (!open) return refuseUpgrade(socket, refusal('not-ready', 'as many streams are open as may be'))
    socket.once('close', () => open[Symbol.dispose]())
    const token = entry.value
    server.handleUpgrade(request, socket, head, (client) => {
      const isRevoked = () => !context.tokens.tokens().some(({ id }) => id === token?.id)
      void serve(client, asked.value, { context, socket, closing: closing.signal, isRevoked }).finally(() =>
        open[Symbol.dispose](),
      )
    })
  }

  return {
    upgrade: (request, socket, head) => {
      socket.on('error', () => {}) // a client that is gone
      upgrade(request, socket, head).catch((error: unknown) => {
        context.log.error({ err: error }, 'a WebSocket failed')
        refuseUpgrade(socket, refusal('server-error', 'this is a bug of espalier'))
      })
    },
    close: async () => {
      closing.abort()
      for (const client of server.clients) client.close(CLOSE.stopping, 'the server stops')
      server.close()
    },
  }
}

/** `socket`: the TCP connection of the WebSocket. */
async function serve(
  client: WebSocket,
  request: EventsRequest,
  of: { context: ServerContext; socket: Duplex; closing: AbortSignal; isRevoked: () => boolean },
): Promise<void> {
  const { context, socket, closing, isRevoked } = of
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, closing])
  client.on('close', () => gone.abort())
  client.on('error', () => gone.abort())
  let unanswered = 0
  client.on('pong', () => {
    unanswered = 0
  })
  // A client that misses heartbeats has lost its connection.
  const heart = setInterval(() => {
    if (unanswered >= MOST_UNANSWERED) return client.terminate()
    unanswered++
    client.ping()
    if (client.bufferedAmount === 0) client.send(`{"type":"heartbeat","at":${Date.now()}}`)
  }, context.limits.heartbeatMs)
  const watch = setInterval(() => {
    if (isRevoked()) client.close(CLOSE.revoked, 'token revoked')
  }, WATCH_MS)
  try {
    client.send(`{"type":"hello","cursor":"${formatPosition(request.after, request.isOne)}"}`)
    for await (const messages of subscribe({ ...request, signal })) {
      // One write for all of them.
      socket.cork()
      for (const message of messages) client.send(message, AS_TEXT)
      socket.uncork()
      if (client.bufferedAmount > context.limits.unreadBytes && !(await drained(client, context, signal))) {
        context.log.warn({}, 'a slow consumer of events was cut off')
        client.close(CLOSE.slow, 'slow-consumer')
        setTimeout(() => client.terminate(), 1_000).unref()
        return
      }
    }
  } catch (error) {
    if (!signal.aborted) context.log.warn({ err: error }, 'events could not be read')
    client.close(CLOSE.failed, 'events-unreadable')
  } finally {
    clearInterval(heart)
    clearInterval(watch)
  }
}

/** Interval between checks for a revoked token. */
const WATCH_MS = 1_000

const AS_TEXT = { binary: false }

/** Unanswered pings after which a client counts as gone. */
const MOST_UNANSWERED = 2

/** Waits until the client has read half of what is queued; false: it took too long. */
async function drained(client: WebSocket, { limits }: ServerContext, signal: AbortSignal): Promise<boolean> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.unreadMs)])
  while (client.bufferedAmount > limits.unreadBytes / 2) {
    const sent = new Promise<void>((resolve) => client.ping(undefined, undefined, () => resolve()))
    const isSent = await untilAborted(until, sent).then(
      () => true,
      () => false,
    )
    if (!isSent) return signal.aborted
  }
  return true
}

/** Answers an upgrade as HTTP would be answered. */
function refuseUpgrade(socket: Duplex, refused: Extract<Reply<unknown>, { ok: false }>): void {
  const response = respondRefusal(refused)
  void response.text().then((body) => {
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    const lines = [
      `HTTP/1.1 ${response.status} ${refusalOf(refused).reason}`,
      ...head,
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
  })
}
