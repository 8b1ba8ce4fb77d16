// Who may append. Each process that takes the lead begins an epoch, and appends of earlier epochs are fenced from then on.

/** `place`: its state folder. `at`: when it took the lead. */
export type Leader = { host: string; pid: number; place: string; at: number }

export type LeadTaken = { ok: true; epoch: number } | { ok: false; leader: Leader | null }

export interface Lead {
  /** Null: this store never took the lead, and is fenced by the numbers of events alone. */
  readonly epoch: number | null
  readonly fenced: AbortSignal
  take(leader: Leader): Promise<LeadTaken>
  /** Another one has begun a newer epoch. */
  fence(): void
}

/** Null: nobody has led yet. */
export function parseLeader(text: unknown): Leader | null {
  if (typeof text !== 'string') return null
  const { host, pid, place, at } = JSON.parse(text) as Record<string, unknown>
  return { host: String(host), pid: Number(pid), place: String(place), at: Number(at) }
}
