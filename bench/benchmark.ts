// What a benchmark is and what it hands back.

export type Benchmark = {
  name: string
  about: string
  run(at: Scene): Promise<Report>
}

export type Scene = {
  /** A folder of its own, removed afterwards. */
  scratch: string
  /** Nothing is shortened to save the reader's time. */
  full: boolean
  /** Another checkout, or a folder in which its package is installed, to compare with. */
  baseline: string | null
  /** A word to whoever waits. */
  say(message: string): void
}

export type Report = { tables: Table[]; bars: Bar[] }

export type Table = { title: string; columns: string[]; rows: (string | number)[][] }

/** A promise of the project, and what was measured. */
export type Bar = { what: string; measured: number; limit: number; kind: 'at most' | 'at least'; unit: string }

export function holds({ measured, limit, kind }: Bar): boolean {
  return kind === 'at most' ? measured <= limit : measured >= limit
}

export function atMost(what: string, measured: number, limit: number, unit = ''): Bar {
  return { what, measured, limit, kind: 'at most', unit }
}

export function atLeast(what: string, measured: number, limit: number, unit = ''): Bar {
  return { what, measured, limit, kind: 'at least', unit }
}
