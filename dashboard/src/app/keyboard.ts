// The keys of what is shown. A view says which it has while it is shown; `?` lists them all. A key is one (`j`) or two after
// each other (`g l`). Nothing is taken from somebody who types into a field, but Escape.
import { useEffect, useRef, useSyncExternalStore } from 'react'

export type Key = {
  keys: string
  what: string
  run: () => void
  /** Where it stands in the list of `?`. */
  group?: string
}

const SECOND_KEY_MS = 1_200

let active: readonly { keys: readonly Key[] }[] = []
const listeners = new Set<() => void>()

/** While the calling part is shown; the newest wins. */
export function useKeys(keys: readonly Key[]): void {
  const entry = useRef<{ keys: readonly Key[] }>({ keys })
  entry.current.keys = keys
  useEffect(() => {
    const mine = entry.current
    active = [...active, mine]
    tell()
    return () => {
      active = active.filter((one) => one !== mine)
      tell()
    }
  }, [])
}

/** Moves the focus along what the selector finds, in the order of the page. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const now = found.indexOf(document.activeElement as HTMLElement)
  const next = found[now < 0 ? (by > 0 ? 0 : found.length - 1) : Math.max(0, Math.min(found.length - 1, now + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** All that work now, each once. */
export function activeKeys(): Key[] {
  const found = new Map<string, Key>()
  for (const { keys } of active.toReversed()) for (const key of keys) if (!found.has(key.keys)) found.set(key.keys, key)
  return [...found.values()].reverse()
}

export function useActiveKeys(): Key[] {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => active,
  )
  return activeKeys()
}

/** Listens for the whole page; gives back how to stop. */
export function listenForKeys(): () => void {
  let first: { key: string; at: number } | null = null
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key !== 'Escape' && isTyping(event.target)) return
    // What has the focus is what Enter means.
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary')) return
    // A dialog closes itself with Escape; what is behind it stays as it is.
    if (document.querySelector('dialog[open]')) return
    const all = activeKeys()
    const pair = first && event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ${event.key}` : null
    const found = (pair && all.find(({ keys }) => keys === pair)) || all.find(({ keys }) => keys === event.key)
    first = all.some(({ keys }) => keys.startsWith(`${event.key} `)) ? { key: event.key, at: event.timeStamp } : null
    if (!found) return
    event.preventDefault()
    first = null
    found.run()
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

function tell(): void {
  for (const listener of listeners) listener()
}
