import type { Leader } from './store.ts'

/** As it was written, or null where nobody led yet. */
export function parseLeader(text: unknown): Leader | null {
  if (typeof text !== 'string') return null
  const { host, pid, place, at } = JSON.parse(text) as Record<string, unknown>
  return { host: String(host), pid: Number(pid), place: String(place), at: Number(at) }
}
