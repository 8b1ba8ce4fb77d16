// The time, once a second, the same for all that shows it; still while nobody looks, and in a file the time it was made.
import { useSyncExternalStore } from 'react'
import { useData } from './source.ts'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

export function useNow(): number {
  const { recording } = useData()
  const live = useSyncExternalStore(subscribe, () => now)
  return recording?.at ?? live
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  if (document.visibilityState === 'hidden') return
  now = Date.now()
  for (const listener of listeners) listener()
}
