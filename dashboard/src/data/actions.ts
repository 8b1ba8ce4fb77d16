// What a person can do from the page. Each is a call of the client; what it changes comes back with the events.
import { useMutation } from '@tanstack/react-query'
import type { Client } from 'espalier/client'
import { useData } from './source.ts'

/** `run` says what happened in a sentence, which is shown. */
export function useAction<Input>(run: (client: Client, input: Input) => Promise<string>) {
  const { client } = useData()
  return useMutation({
    mutationFn: (input: Input) => run(client, input),
    onSuccess: (said) => announce({ tone: 'good', text: said }),
    onError: (error) => announce({ tone: 'bad', text: error.message }),
  })
}

export type Said = { tone: 'good' | 'bad'; text: string }

let said: (Said & { id: number }) | null = null
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function announce(what: Said | null): void {
  said = what && { ...what, id: ++count }
  clearTimeout(timer)
  if (what) timer = setTimeout(() => announce(null), what.tone === 'bad' ? 12_000 : 5_000)
  for (const listener of listeners) listener()
}

export function subscribeSaid(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function lastSaid(): (Said & { id: number }) | null {
  return said
}
