// A store as plain rows, table by table, the same for every database: what `copy.ts` carries from one to another.

/** In this order: what others refer to comes first. Rows come in the order of the first column named in `order`. */
export const TABLES = {
  run: ['id', 'name', 'repo', 'plan_file', 'created_at', 'plan', 'settings', 'view', 'journal_version'],
  event: ['cursor', 'run', 'seq', 'version', 'at', 'type', 'task', 'data'],
  progress: ['cursor', 'run', 'task', 'attempt', 'at', 'message'],
  task: ['run', 'id', 'status', 'cursor', 'view'],
  plan_task: [
    ...['run', 'run_at', 'branch', 'task', 'file', 'format', 'part', 'source', 'says', 'status', 'landed_commit'],
    'ended_at',
  ],
  request: ['id', 'run', 'at', 'data'],
  note: ['run', 'name', 'data'],
  passed: ['tree', 'commands', 'at'],
  lesson: ['id', 'domain', 'data'],
  experience: ['id', 'run', 'task', 'attempt', 'data'],
  learned: ['run', 'seq'],
  suite_entry: ['run', 'id', 'key', 'at', 'machine', 'passed', 'duration_ms', 'data'],
  test_file: ['file', 'machine', 'duration_ms', 'at'],
  hold: ['id', 'name', 'glob', 'since', 'until'],
  /** The newest number of what is numbered over all runs: none is given twice, also after what had it is gone. */
  counter: ['name', 'last'],
} as const

export type TableName = keyof typeof TABLES

/** Values in the order of the columns: texts, whole and other numbers, null. Truth is 0 or 1. */
export type TableRow = readonly (string | number | null)[]

export type Piece = { table: TableName; rows: TableRow[] }

export interface TableStore {
  /** All of it, as it was at one moment, in pieces. The order is the same in every database. */
  pieces(): AsyncIterable<Piece>
  /** In one transaction. False: there is something in it already. */
  fill(pieces: AsyncIterable<Piece>): Promise<boolean>
}

export const PIECE_ROWS = 1_000

/** Tables whose rows have an order of their own, besides their keys. */
export const IN_ORDER: ReadonlySet<TableName> = new Set(['run', 'plan_task', 'suite_entry'])

/** By what the others are sorted. */
export const SORTED_BY: Partial<Record<TableName, readonly string[]>> = {
  event: ['cursor'],
  progress: ['cursor'],
  task: ['run', 'id'],
  request: ['id'],
  note: ['run', 'name'],
  passed: ['tree', 'commands'],
  lesson: ['id'],
  experience: ['id'],
  learned: ['run'],
  test_file: ['file', 'machine'],
  hold: ['id'],
  counter: ['name'],
}
