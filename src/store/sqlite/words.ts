// What SQLite calls by other words than Postgres.
import type { Words } from '../database.ts'
import { migrations } from '../schema.ts'
import { raw, sql } from '../sql.ts'

export const SQLITE_WORDS: Words = {
  order: raw('rowid'),
  byBytes: raw(''),
  json: raw(''),
  feed: raw('feed'),
  epochLock: raw(''),
  runLock: raw(''),
  newestSeq: raw('coalesce((select max(seq) from event where event.run = run.id), 0)'),
  keepNewestSeq: () => raw(''),
  planIndex: raw('indexed by event_of_plan'),
  // Of commits by other connections: what this one has changed it knows.
  lessonVersion: sql`select data_version as version from pragma_data_version`,
  isOneOf: (values) =>
    values.length === 1 ? sql`= ${values[0]}` : sql`in (select value from json_each(${JSON.stringify(values)}))`,
}

/** `user_version` counts those that were applied. */
export const MIGRATIONS = migrations({
  integer: 'integer',
  real: 'real',
  truth: 'integer',
  serial: 'integer primary key autoincrement',
  ordered: '',
  newestSeq: '',
  plain: ' strict',
  keyed: ' strict, without rowid',
  counters: `
  -- the newest number of the feed: of an event or of progress
  create table feed (last integer not null) strict;
  insert into feed (last) values (0);`,
  dropped: '',
})
