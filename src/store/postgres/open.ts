// Opens a store on Postgres. Opening it for writing creates the schema of the project and brings it up to date.
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Database } from '../database.ts'
import { type PostgresPlace, postgresPlace } from '../place.ts'
import { POSTGRES_MIGRATIONS } from '../schema.ts'
import { emptyDatabase } from '../sqlite/open.ts'
import { Connection, type Mode, type Sql } from './connection.ts'
import { PostgresDatabase } from './database.ts'
import { postgresRefusal } from './trouble.ts'

export async function openPostgres(url: string, mode: Mode): Promise<Result<Database>> {
  const place = postgresPlace(url)
  if (!place.ok) return place
  const ready = mode === 'write' ? await migratePostgres(place.value) : await readVersion(place.value)
  if (!ready.ok) return ready
  return ok(mode === 'read' && ready.value === 0 ? emptyDatabase() : new PostgresDatabase(place.value, mode))
}

export async function migratePostgresUrl(url: string): Promise<Result<number>> {
  const place = postgresPlace(url)
  return place.ok ? migratePostgres(place.value) : place
}

/** Returns the number of applied migrations. Concurrent callers wait for each other. */
async function migratePostgres(place: PostgresPlace): Promise<Result<number>> {
  return withFirstConnection(place, async (connection) => {
    const applied = await appliedIn(connection.sql.bind(connection), place)
    if (applied > POSTGRES_MIGRATIONS.length) return refuse(newer(place))
    if (applied === POSTGRES_MIGRATIONS.length) return ok(0)
    return connection.transaction(async (sql) => {
      await sql('select pg_advisory_xact_lock(hashtextextended($1, 1))', [place.schema])
      await sql(`create schema if not exists ${place.schema}`)
      await sql(
        'create table if not exists migration (number integer primary key, at timestamptz not null default now())',
      )
      // Another process may have migrated while this one waited for the lock.
      const before = await appliedIn(sql, place)
      if (before > POSTGRES_MIGRATIONS.length) return refuse(newer(place))
      for (const [index, text] of POSTGRES_MIGRATIONS.entries()) {
        if (index < before) continue
        await sql(text)
        await sql('insert into migration (number) values ($1)', [index + 1])
      }
      return ok(POSTGRES_MIGRATIONS.length - before)
    })
  })
}

async function readVersion(place: PostgresPlace): Promise<Result<number>> {
  return withFirstConnection(place, async (connection) => {
    const applied = await appliedIn(connection.sql.bind(connection), place)
    if (applied > POSTGRES_MIGRATIONS.length) return refuse(newer(place))
    if (applied === POSTGRES_MIGRATIONS.length || applied === 0) return ok(applied)
    return refuse(
      `${place.name} was made by an older version of espalier: \`espalier store migrate\` brings it up to date`,
    )
  })
}

async function appliedIn(sql: Sql, { schema }: PostgresPlace): Promise<number> {
  const [there] = await sql('select to_regclass($1) is not null as yes', [`${schema}.migration`])
  if (there?.yes !== true) return 0
  return Number((await sql(`select coalesce(max(number), 0) as newest from ${schema}.migration`))[0]?.newest)
}

/** Connects with little patience: an unreachable store is reported soon, but a restart of the server does not fail the command. */
async function withFirstConnection<T>(
  place: PostgresPlace,
  use: (connection: Connection) => Promise<Result<T>>,
): Promise<Result<T>> {
  await using connection = new Connection(place, 'write', LIMITS.storeOpenMs)
  try {
    return await use(connection)
  } catch (error) {
    return refuse(postgresRefusal(place.name, error) ?? `${place.name} cannot be used: ${String(error)}`)
  }
}

function newer({ name }: PostgresPlace): string {
  return `${name} was written by a newer version of espalier: install that version, or name another store`
}
