// Events as server-sent events: for browsers (`EventSource` comes back by itself, with the last cursor) and for `curl -N`.
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerContext } from '../context.ts'
import { SAFE_HEADERS } from '../http/respond.ts'
import { type EventsRequest, heartbeatText, helloText } from './request.ts'
import { type Message, subscribe } from './subscription.ts'

type SentOptions = {
  signal: AbortSignal
  /** Once, when nobody reads it any more. */
  onEnd: () => void
  isRevoked: () => boolean
  /** Ends the connection of somebody who does not read. */
  destroy: () => void
}

export function serverSentEvents(
  request: EventsRequest,
  context: ServerContext,
  { signal, onEnd, isRevoked, destroy }: SentOptions,
): Response {
  const { limits } = context
  const gone = new AbortController()
  const until = AbortSignal.any([signal, gone.signal])
  const pieces = subscribe({ ...request, signal: until })
  let next: Promise<IteratorResult<Message[], void>> | null = null
  let unreadSince = 0
  const end = () => {
    gone.abort()
    clearInterval(watch)
    onEnd()
  }
  let leave = (_: string) => {}
  // Nobody has asked for more for so long: whoever is there does not read.
  const watch = setInterval(
    () => {
      if (isRevoked()) leave('token-revoked')
      else if (unreadSince > 0 && performance.now() - unreadSince > limits.unreadMs) leave('slow-consumer')
    },
    Math.min(1_000, limits.unreadMs),
  )
  watch.unref()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoded(`retry: 1000\nevent: hello\ndata: ${helloText(request)}\n\n`))
        unreadSince = performance.now()
        leave = (reason) => {
          end()
          controller.enqueue(encoded(`event: end\ndata: {"reason":"${reason}"}\n\n`))
          controller.close()
          setTimeout(destroy, LAST_WORD_MS).unref()
        }
      },
      async pull(controller) {
        unreadSince = 0
        next ??= pieces.next()
        const early = new AbortController()
        const pause = wait(limits.heartbeatMs, null, { signal: AbortSignal.any([until, early.signal]) })
        const first = await Promise.race([next, pause.catch(() => null)])
        early.abort()
        if (first === null && !until.aborted)
          return controller.enqueue(encoded(`event: heartbeat\ndata: ${heartbeatText()}\n\n`))
        if (first === null || first.done) {
          if (gone.signal.aborted) return
          end()
          return controller.close()
        }
        next = null
        if (gone.signal.aborted) return
        controller.enqueue(encoded(first.value.map(({ cursor, json }) => `id: ${cursor}\ndata: ${json}\n\n`).join('')))
        unreadSince = performance.now()
      },
      async cancel() {
        end()
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: { ...SAFE_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  })
}

/** Whoever reads has got the last word by then. */
const LAST_WORD_MS = 1_000

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
