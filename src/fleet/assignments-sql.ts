// Statements of fleet-database.ts about its own tables. `$schema` is that of the fleet, which pg-boss has, too.

export const TABLES = `
  create table if not exists $schema.worker (
    name text primary key,
    token text not null,
    slots integer not null,
    data text not null,
    skew_ms double precision not null,
    load double precision not null default 0,
    joined_at timestamptz not null default now(),
    beat_at timestamptz not null default now(),
    beats bigint not null default 0,
    has_left boolean not null default false
  );
  alter table $schema.worker add column if not exists doing text not null default '[]';
  create table if not exists $schema.message (
    id bigint generated always as identity primary key,
    worker text not null,
    job uuid not null,
    data text not null,
    at timestamptz not null default now()
  );
  create index if not exists message_by_worker on $schema.message (worker, id);
  create table if not exists $schema.output (
    id bigint generated always as identity primary key,
    run text not null,
    folder text not null,
    file text not null,
    at_byte bigint not null,
    data bytea not null,
    at timestamptz not null default now()
  );
  create unique index if not exists output_once on $schema.output (run, folder, md5(file), at_byte);
  create index if not exists output_by_run on $schema.output (run, id);
  create index if not exists output_by_folder on $schema.output (run, folder, id);
`

/** A piece that comes again replaces the first, and is read again. */
export const KEEP_OUTPUT = `
  insert into $schema.output (run, folder, file, at_byte, data) values ($1, $2, $3, $4, $5)
  on conflict (run, folder, md5(file), at_byte) do update set data = excluded.data, at = now(), id = default`

export const OUTPUT = `
  select id, folder, file, at_byte, data from $schema.output
  where run = $1 and id > $2 and ($3::text is null or folder = $3) order by id limit 20`

/** Serialized for each worker: a reader that has got message 7 would miss a 6 that becomes visible later. */
export const TELL = `
  with turn as (select pg_advisory_xact_lock(hashtext('$schema'), hashtext($1)))
  insert into $schema.message (worker, job, data) select $1, $2, $3 from turn`

export const BEAT = `
  update $schema.worker set beats = beats + 1, beat_at = now(), load = $2, doing = $4,
    skew_ms = $3 - extract(epoch from clock_timestamp()) * 1000
  where name = $1`

export const JOIN = `
  insert into $schema.worker (name, token, slots, data, skew_ms)
  values ($1, $2, $3, $4, $5 - extract(epoch from clock_timestamp()) * 1000)
  on conflict (name) do update set
    token = excluded.token, slots = excluded.slots, data = excluded.data, skew_ms = excluded.skew_ms,
    joined_at = now(), beat_at = now(), beats = worker.beats + 1, has_left = false
  where worker.token = excluded.token or worker.has_left
    or worker.beat_at < now() - make_interval(secs => $6 / 1000.0)
  returning name`
