// What the protocols have in common on the wire.
import type { ServerResponse } from 'node:http'

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts in a message's content: a text, or parts of which some are texts. */
export function texts(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
}

/** Server-sent events. Without a name an event is data only. */
export function sse(response: ServerResponse, events: [string | null, unknown][]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const [name, data] of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`)
  }
  response.end()
}

export function failJson(response: ServerResponse, status: number, body: unknown, retryAfterS?: number): void {
  const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** As the agent calls it: each puts the name of the server before that of the tool in a way of its own. */
export function toolNamed(tools: readonly string[], name: string): string {
  return tools.find((tool) => tool === name) ?? tools.find((tool) => tool.endsWith(name)) ?? name
}

/** What a model has answered, from the contents of its messages: how many tools it called, and what it said. */
export function answersIn(contents: readonly unknown[]): { calls: number; said: string[] } {
  const parts = contents.flatMap((content) => (Array.isArray(content) ? content.filter(isObject) : []))
  const calls = parts.filter((part) => part.type === 'tool_use' || isObject(part.functionCall)).length
  return { calls, said: contents.flatMap(texts) }
}
