// One connection of a browser as a WebSocket: of server-sent events a browser holds six at most, over all its tabs.
import { EVENTS_PATH, pathOf } from '../protocol/paths.ts'
import { refusedBy } from './refused.ts'

/** Ends with the connection, or with the signal. A refusal, which a browser does not show of a WebSocket, is asked for. */
export async function* socketMessages<T extends object>(
  url: string,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const page = (globalThis as { location?: { href: string } }).location
  const address = new URL(`${url}${EVENTS_PATH}?${query}`, page?.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address)
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
  const asked = await fetch(`${url}${pathOf('server.get').path}`, { signal })
  if (!asked.ok) throw await refusedBy(asked)
}
