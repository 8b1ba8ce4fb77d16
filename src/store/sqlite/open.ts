// Opens the state database, with a clear message for a file that is damaged or was written by a newer version.
import { closeSync, existsSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { isShortage, machineTroubleText } from '../../git/run/machine-trouble.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { DamagedRow, NewerJournal } from '../read-row.ts'
import { SQLITE_MIGRATIONS } from '../schema.ts'
import { SqliteDatabase } from './database.ts'

const BUSY_TIMEOUT_MS = 10_000

export function openSqlite(path: string, mode: 'write' | 'read'): Result<SqliteDatabase> {
  if (mode === 'read' && !existsSync(path)) return refuse(`there is no state database at ${path}`)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: mode === 'read', timeout: BUSY_TIMEOUT_MS })
    const version = versionOf(db)
    if (version > SQLITE_MIGRATIONS.length) {
      db.close()
      return refuse(`${path} was written by a newer version of espalier: install that version, or move the file away`)
    }
    if (mode === 'write') {
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
      migrate(db, version)
    } else if (version === 0) {
      // Another process is still creating the database.
      db.close()
      return ok(emptyDatabase())
    }
    return ok(new SqliteDatabase(db, path))
  } catch (error) {
    const trouble = sqliteTrouble(path, error) ?? unknownTrouble(path, error)
    if (db?.isOpen) db.close()
    return refuse(trouble)
  }
}

/** Stands in for a store that does not exist yet. No other process writes it, so readers are never woken. */
export function emptyDatabase(): SqliteDatabase {
  const db = new DatabaseSync(':memory:')
  migrate(db, 0)
  return new SqliteDatabase(db, ':memory:', true)
}

/** An error of the machine or the file, with advice. Null: neither is at fault, so it is a bug. */
export function sqliteTrouble(path: string, error: unknown): string | null {
  const why = error instanceof Error ? error.message : String(error)
  if (error instanceof NewerJournal) return `${why}: use that version for it. It is in ${path}`
  const code = error instanceof DamagedRow ? SQLITE.corrupt : isOfSqlite(error) ? error.errcode & 0xff : null
  switch (code) {
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return `the state database ${path} is damaged (${why}): move it away. What has landed is safe in git`
    case SQLITE.full:
      return `${path} could not be written (${why}): free some disk`
    case SQLITE.io:
      return `${path} could not be written or read (${why}): is its disk full, or broken?`
    case SQLITE.readOnly:
    case SQLITE.cannotOpen: {
      const shortage = shortageOfFiles()
      if (shortage !== null) return `${path} could not be opened: ${machineTroubleText(shortage)}`
      return `${path} may not be written (${why}): make it and its folder writable, or name another folder with --state-dir`
    }
    case SQLITE.busy:
      return `${path} has been in use by another process for too long (${why}): end that one`
    default:
      return null
  }
}

/** Like `sqliteTrouble`, with a message for any other error of the database. Null: the error is not from the database. */
export function sqliteRefusal(path: string, error: unknown): string | null {
  return sqliteTrouble(path, error) ?? (isOfSqlite(error) ? unknownTrouble(path, error) : null)
}

/** The lower 8 bits of `errcode`: https://sqlite.org/rescode.html */
const SQLITE = { busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

function isOfSqlite(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR'
}

/** The reason why this process may open no more files, which SQLite does not tell. Null: it may. */
function shortageOfFiles(): Error | null {
  const opened: number[] = []
  try {
    while (opened.length < FILES_OF_DATABASE) opened.push(openSync(devNull, 'r'))
    return null
  } catch (error) {
    return isShortage(error) ? (error as Error) : null
  } finally {
    opened.forEach(closeSync)
  }
}

/** The database, its log, the index of that, and their folder. */
const FILES_OF_DATABASE = 4

function unknownTrouble(path: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return `cannot use the state database ${path}: ${why}. If it is damaged, move it away; landed work is safe in git`
}

function migrate(db: DatabaseSync, from: number): void {
  if (from === SQLITE_MIGRATIONS.length) return
  db.exec('begin immediate')
  try {
    // Another process may have migrated while this one waited for the lock.
    for (const step of SQLITE_MIGRATIONS.slice(versionOf(db))) db.exec(step)
    db.exec(`pragma user_version = ${SQLITE_MIGRATIONS.length}; commit`)
  } catch (error) {
    // A full disk has rolled it back already.
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.user_version)
}
