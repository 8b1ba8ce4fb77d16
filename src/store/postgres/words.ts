// What Postgres calls by other words than SQLite.
import type { Words } from '../database.ts'
import { migrations } from '../schema.ts'
import { raw, sql } from '../sql.ts'

export const POSTGRES_WORDS: Words = {
  order: raw('number'),
  byBytes: raw('collate "C"'),
  json: raw('::json'),
  feed: raw("counter where name = 'feed'"),
  epochLock: raw('for share'),
  // Not `for update`: a request that refers to the run need not wait.
  runLock: raw('for no key update'),
  newestSeq: raw('last_seq'),
  keepNewestSeq: (seq) => sql`, last_seq = greatest(last_seq, ${seq})`,
  planIndex: raw(''),
  // A row that was saved has the number of its transaction.
  lessonVersion: sql`select count(*) || '/' || max(xmin::text::bigint) as version from lesson`,
  isOneOf: (values) => sql`= any(${values})`,
}

/** `migration` has those that were applied. */
export const MIGRATIONS = migrations({
  integer: 'bigint',
  real: 'double precision',
  truth: 'boolean',
  serial: 'bigint primary key',
  ordered: ', number bigint generated always as identity',
  newestSeq: ', last_seq bigint not null default 0',
  plain: '',
  keyed: '',
  counters: `
  -- Whoever takes numbers holds the row until they are committed, so what has a lower number is never seen later.
  -- A sequence would not do: it lets the later one be seen first.
  create table counter (
    name text primary key,
    last bigint not null
  );
  insert into counter (name, last) values ('feed', 0), ('request', 0), ('experience', 0), ('hold', 0);`,
  dropped: "delete from counter where name = 'audit';",
})
