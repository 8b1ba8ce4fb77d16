// One connection to the events of a server, a WebSocket in Node and in browsers.
import { EVENTS_PATH } from '../resources/paths.ts'
import { type Fetch, refusedBy } from './refused.ts'

export type EventServer = { url: string; token?: string | undefined; fetch?: Fetch | undefined }

/** Ends with the connection, or with the signal. A WebSocket does not show why it was refused, so that is asked for. */
export async function* socketMessages<T extends object>(
  { url, token, fetch = globalThis.fetch }: EventServer,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const page = (globalThis as { location?: { href: string } }).location
  const address = new URL(`${url}${EVENTS_PATH}?${query}`, page?.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket =
    token === undefined ? new WebSocket(address) : new (WebSocket as unknown as NodeWebSocket)(address, { headers })
  const messages: T[] = []
  let wake = () => {}
  let isOpen = true
  let wasOpen = false
  const close = () => {
    isOpen = false
    wake()
  }
  socket.onmessage = ({ data }) => {
    wasOpen = true
    messages.push(JSON.parse(String(data)) as T)
    wake()
  }
  socket.onclose = close
  socket.onerror = close
  signal.addEventListener('abort', close)
  try {
    while (isOpen || messages.length > 0) {
      const message = messages.shift()
      if (message) yield message
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    signal.removeEventListener('abort', close)
    socket.close()
  }
  if (wasOpen || signal.aborted) return
  const asked = await fetch(`${url}${EVENTS_PATH}?${query}`, { headers, signal })
  if (asked.status !== UPGRADE_REQUIRED) throw await refusedBy(asked)
}

/** The answer to a request of events that would have been right as a WebSocket. */
const UPGRADE_REQUIRED = 426

/** A browser cannot send a token with a WebSocket, and sends its cookie. */
type NodeWebSocket = new (url: URL, options: { headers: Record<string, string> }) => WebSocket
