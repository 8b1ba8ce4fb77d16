// A store on Postgres as plain rows.
import { parseJson } from '../row.ts'
import {
  IN_ORDER,
  PIECE_ROWS,
  type Piece,
  SORTED_BY,
  TABLES,
  type TableName,
  type TableRow,
  type TableStore,
} from '../tables.ts'
import type { Row, Sql } from './connection.ts'
import type { Database } from './database.ts'

export function tables(db: Database): TableStore {
  return {
    pieces: () => db.connection.snapshot(piecesOf),

    async fill(pieces) {
      // What was read of the pieces cannot be read again, so this is not tried twice.
      return db.write(async (sql) => {
        const [there] = await sql(
          'select exists (select from run) or exists (select from counter where last > 0) as yes',
        )
        if (there?.yes === true) return false
        for await (const piece of pieces) await put(sql, piece)
        await sql('update run set last_seq = coalesce((select max(seq) from event where event.run = run.id), 0)')
        return true
      })
    },
  }
}

async function* piecesOf(sql: Sql): AsyncGenerator<Piece> {
  for (const table of Object.keys(TABLES) as TableName[]) {
    const order = IN_ORDER.has(table)
      ? 'number'
      : (SORTED_BY[table] ?? []).map((name) => ordered(table, name)).join(', ')
    for (let offset = 0; ; offset += PIECE_ROWS) {
      const text = `select ${TABLES[table].join(', ')} from ${table} order by ${order} limit ${PIECE_ROWS} offset ${offset}`
      const rows = await sql(text)
      yield { table, rows: rows.map((row) => plain(table, row)) }
      if (rows.length < PIECE_ROWS) break
    }
  }
}

/** Texts are sorted by their bytes, as SQLite does it. */
function ordered(table: TableName, column: string): string {
  const isNumber = column === 'cursor' || (column === 'id' && NUMBERED.has(table))
  return isNumber ? column : `${column} collate "C"`
}

const NUMBERED: ReadonlySet<TableName> = new Set(['request', 'experience', 'hold'])

function plain(table: TableName, row: Row): TableRow {
  return TABLES[table].map((column) => {
    const value = row[column]
    if (table === 'progress' && column === 'message') return String(parseJson(value, `progress ${row.cursor}`))
    if (typeof value === 'boolean') return value ? 1 : 0
    return value as string | number | null
  })
}

async function put(sql: Sql, { table, rows }: Piece): Promise<void> {
  if (rows.length === 0) return
  if (table === 'counter') {
    for (const row of rows) await sql('update counter set last = $2 where name = $1', [...row])
    return
  }
  const columns = TABLES[table]
  const values = columns.map((column, index) => rows.map((row) => given(table, column, row[index] ?? null)))
  const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(table, column)}[]`)
  await sql(`insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`, values)
}

function given(table: TableName, column: string, value: string | number | null): unknown {
  if (table === 'progress' && column === 'message') return JSON.stringify(value)
  return column === 'passed' ? value === 1 : value
}

function typeOf(table: TableName, column: string): string {
  if (column === 'passed') return 'boolean'
  if (column === 'duration_ms') return 'double precision'
  if (column === 'id') return NUMBERED.has(table) ? 'bigint' : 'text'
  return WHOLE.has(column) ? 'bigint' : 'text'
}

const WHOLE = new Set([
  ...['created_at', 'journal_version', 'cursor', 'seq', 'version', 'at', 'attempt', 'run_at', 'ended_at'],
  ...['since', 'until'],
])
