// The place of a store: the path of an SQLite file, `sqlite:/path/state.db`, or `postgres://user@host/database?schema=NAME`.
//
// A schema is one project: the runs of one repository with all their data. So several projects share a database without
// seeing each other, every statement is written for a single project, rights are per project, and `drop schema …
// cascade` removes it.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ok, type Result, refuse } from '../problem.ts'

export type PostgresPlace = {
  /** Connection string for `pg` and `pg-boss`. It may contain a password, so it is never shown. */
  connectionString: string
  schema: string
  /** Name for people: without password and options. */
  name: string
}

export function postgresPlace(url: string): Result<PostgresPlace> {
  const parsed = URL.parse(url)
  // The text itself is not repeated in the message: it may contain a password.
  if (parsed === null) return refuse(NO_URL)
  const schema = parsed.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!SCHEMA.test(schema))
    return refuse(`?schema=${schema}: the name of a project has small letters, digits and _, at most 40 of them`)
  parsed.searchParams.delete('schema')
  return ok({ connectionString: parsed.href, schema, name: nameOf(parsed, schema) })
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url)
}

/** A store as it may be shown and logged. */
export function storeName(url: string): string {
  if (!isPostgresUrl(url)) return url
  const place = postgresPlace(url)
  return place.ok ? place.value.name : 'postgres://…'
}

function nameOf({ username, host, pathname }: URL, schema: string): string {
  const user = username === '' ? '' : `${username}@`
  return `postgres://${user}${host}${pathname}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`
}

const DEFAULT_SCHEMA = 'espalier'

/** Names derived from it (of channels, and of the schema for assignments) also have to fit into 63 bytes. */
const SCHEMA = /^[a-z][a-z0-9_]{0,39}$/

const NO_URL = 'the URL of the store makes no sense: write postgres://user@host:5432/database'

export function sqlitePath(url: string): Result<string> {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(url) ?? []
  if (scheme === undefined || isAbsolute(url)) return ok(url)
  switch (scheme.toLowerCase()) {
    case 'file':
      return ok(fileURLToPath(url))
    case 'sqlite':
      return ok(decodeURIComponent(new URL(url).pathname))
    case 'postgres':
    case 'postgresql':
      return refuse(NO_URL)
    default:
      return refuse(`${scheme}: names no database that espalier knows: name an SQLite file, or postgres://…`)
  }
}

/** 0: it does not exist. A changed number: the file was replaced. A store on Postgres has a constant one. */
export function storeInode(url: string): number {
  return isPostgresUrl(url) ? ON_POSTGRES : (statSync(url, { throwIfNoEntry: false })?.ino ?? 0)
}

/** True if there may be runs in it. For Postgres always true: only the server knows. */
export function storeExists(url: string): boolean {
  try {
    return storeInode(url) !== 0
  } catch {
    return false
  }
}

/** True if the file is another one than that with `inode`. False if its folder cannot be read. */
export function isReplaced(url: string, inode: number): boolean {
  try {
    return storeInode(url) !== inode
  } catch {
    return false
  }
}

const ON_POSTGRES = 1
