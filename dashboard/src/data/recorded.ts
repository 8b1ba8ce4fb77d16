// Answers that were recorded into the page, and the `fetch` that gives them: see src/server/recording/.
import type { PageKind } from '../shared.ts'

export type Recording = {
  /** When it was recorded. */
  at: number
  /** The first place to show, such as `/shop/run-1`. */
  start: string
  /** The views that are in the page follow from it. */
  kind: PageKind
  /** By path, with the query where that matters. A text is a text, all else is JSON. */
  answers: Record<string, unknown>
}

export async function readRecording(): Promise<Recording | null> {
  const text = document.getElementById('data')?.textContent?.trim()
  if (!text) return null
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const unpacked = new Response(packed).body?.pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(unpacked).json()) as Recording
}

export function recordedFetch({ answers }: Recording): (url: string) => Promise<Response> {
  return async (url) => {
    const key = keyOf(url)
    if (!Object.hasOwn(answers, key)) return missing()
    const value = answers[key]
    return typeof value === 'string'
      ? new Response(value, { headers: { 'content-type': 'text/plain' } })
      : new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })
  }
}

/** In the order of the recording, without what makes no difference in a file. */
function keyOf(url: string): string {
  const [path = '', query = ''] = url.split('?')
  const words = query.split('&').filter((word) => word !== '' && !/^(follow|limit)=/.test(word))
  return words.length === 0 ? path : `${path}?${words.sort().join('&')}`
}

function missing(): Response {
  const body = { reason: 'not-found', detail: 'This is not in the file: `espalier ui` shows it.' }
  return new Response(JSON.stringify(body), { status: 404, headers: { 'content-type': 'application/problem+json' } })
}
