// Where a store is: the path of an SQLite file, `sqlite:/path/state.db`, or `postgres://user@host/database?schema=NAME`.
//
// A schema is one project: the runs of one repository, and all that belongs to them. So several share a database without
// seeing each other, every statement is the one for a single project, a project has its own rights, and `drop schema …
// cascade` removes it.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ok, type Result, refuse } from '../problem.ts'

export type PostgresPlace = {
  /** What `pg` and `pg-boss` connect with. It may hold a password, so it is never shown. */
  connectionString: string
  schema: string
  /** For people: without password and options. */
  name: string
}

export function postgresPlace(url: string): Result<PostgresPlace> {
  const parsed = URL.parse(url)
  // The text itself is not repeated: it may have a password in it.
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

/** Names that follow from it (of channels, and of the schema for assignments) have to fit into 63 bytes, too. */
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

/** 0: it is not there. Another number than before: another one has been put in its place. One on Postgres is never replaced so. */
export function storeInode(url: string): number {
  return isPostgresUrl(url) ? ON_POSTGRES : (statSync(url, { throwIfNoEntry: false })?.ino ?? 0)
}

/** Whether there may be runs in it. Of one on Postgres only the server knows. */
export function storeExists(url: string): boolean {
  try {
    return storeInode(url) !== 0
  } catch {
    return false
  }
}

/** `inode`: what it was. Where it may not be looked at, nobody knows. */
export function isReplaced(url: string, inode: number): boolean {
  try {
    return storeInode(url) !== inode
  } catch {
    return false
  }
}

const ON_POSTGRES = 1
