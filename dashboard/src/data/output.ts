// The output of an attempt, followed while it runs. Kept as text, of which at most the end is kept; shown once per frame.
import { useEffect, useState } from 'react'
import type { TaskRef } from './queries.ts'
import { useData } from './source.ts'

type Which = { kind: 'transcript' | 'log'; attempt: number; isOpen: boolean }
type OutputState = { text: string; isCut: boolean; error: Error | null }

/** More than anybody reads in a browser; the rest is in `espalier logs`. */
const MOST_CHARS = 4_000_000
const NOTHING: OutputState = { text: '', isCut: false, error: null }

export function useOutput({ project, run, task }: TaskRef, { kind, attempt, isOpen }: Which): OutputState {
  const { client } = useData()
  const [state, setState] = useState(NOTHING)
  useEffect(() => {
    if (attempt === 0) return
    const leaving = new AbortController()
    const { signal } = leaving
    setState(NOTHING)
    const read = async () => {
      const input = { project, run, task, attempt, follow: isOpen }
      const stream = await client.stream(`tasks.${kind}`, input, { signal })
      const decoder = new TextDecoder()
      const reader = stream.getReader()
      let text = ''
      let isCut = false
      let isDrawn = true
      const show = () => {
        isDrawn = true
        if (!signal.aborted) setState({ text, isCut, error: null })
      }
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
        if (text.length > MOST_CHARS) {
          text = text.slice(text.indexOf('\n', text.length - MOST_CHARS / 2) + 1)
          isCut = true
        }
        if (isDrawn) requestAnimationFrame(show)
        isDrawn = false
      }
      show()
    }
    read().catch((error: Error) => {
      if (!signal.aborted) setState((before) => ({ ...before, error }))
    })
    return () => leaving.abort()
  }, [client, project, run, task, kind, attempt, isOpen])
  return state
}
