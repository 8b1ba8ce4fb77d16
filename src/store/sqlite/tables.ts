// A store on SQLite as plain rows.
import type { SQLInputValue } from 'node:sqlite'
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
import type { Database } from './database.ts'

export function tables(db: Database): TableStore {
  return {
    async *pieces() {
      // One state of the database: others go on writing meanwhile.
      db.exec('begin')
      try {
        for (const table of Object.keys(TABLES) as TableName[]) {
          if (table === 'counter') {
            yield { table, rows: counters(db) }
            continue
          }
          const order = IN_ORDER.has(table) ? 'rowid' : (SORTED_BY[table] ?? []).join(', ')
          const rows = db.sql(`select ${TABLES[table].join(', ')} from ${table} order by ${order}`).iterate()
          let piece: TableRow[] = []
          for (const row of rows) {
            piece.push(TABLES[table].map((column) => row[column] as string | number | null))
            if (piece.length < PIECE_ROWS) continue
            yield { table, rows: piece }
            piece = []
          }
          yield { table, rows: piece }
        }
      } finally {
        db.exec('commit')
      }
    },

    async fill(pieces) {
      db.exec('begin immediate')
      try {
        const isEmpty = db.sql('select 1 from run').get() === undefined && counters(db).every(([, last]) => last === 0)
        if (isEmpty) for await (const piece of pieces) put(db, piece)
        db.exec('commit')
        return isEmpty
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
  }
}

function put(db: Database, { table, rows }: Piece): void {
  if (table === 'counter') for (const [name, last] of rows) setCounter(db, String(name), Number(last))
  else {
    const columns = TABLES[table]
    const insert = db.sql(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...(row as SQLInputValue[]))
  }
}

/** SQLite counts these itself, by the name of their table. */
const COUNTED = { experience: 'experience', hold: 'hold', request: 'request' } as const

function counters(db: Database): TableRow[] {
  const feed = Number(db.sql('select last from feed').get()?.last)
  const last = (table: string) => Number(db.sql('select seq from sqlite_sequence where name = ?').get(table)?.seq ?? 0)
  const counted = Object.entries(COUNTED).map(([name, table]) => [name, last(table)] as const)
  return [...counted, ['feed', feed] as const].sort(([a], [b]) => (a < b ? -1 : 1))
}

function setCounter(db: Database, name: string, last: number): void {
  if (name === 'feed') {
    db.sql('update feed set last = ?').run(last)
    return
  }
  const table = COUNTED[name as keyof typeof COUNTED]
  db.sql('delete from sqlite_sequence where name = ?').run(table)
  db.sql('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last)
}
