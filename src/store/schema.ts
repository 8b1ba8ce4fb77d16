// The tables of every store: numbered migrations, applied in order and never edited once released.
//
// JSON is kept as text: it comes back byte for byte, and `jsonb` of Postgres cannot hold a NUL, which an agent may print.

function migrations(w: typeof SQLITE): readonly string[] {
  return [
    `
  create table run (
    id text primary key,
    name text not null,
    repo text not null,
    plan_file text,
    created_at ${w.integer} not null,
    plan text not null,
    settings text not null,
    view text,
    -- the newest version of the journal's language that was written of it: see JOURNAL_VERSION in store/read-row.ts
    journal_version ${w.integer} not null
    ${w.newestSeq}
    ${w.ordered}
  )${w.plain};
  -- The newest without a look at every plan there is.
  create index run_by_time on run (created_at) where view is not null;

  ${w.counters}

  -- who may append: see lead.ts
  create table lead (
    epoch ${w.integer} not null,
    leader text
  )${w.plain};
  insert into lead (epoch) values (0);

  create table event (
    cursor ${w.integer} primary key,
    run text not null references run(id) on delete cascade,
    seq ${w.integer} not null,
    version ${w.integer} not null,
    at ${w.integer} not null,
    type text not null,
    task text,
    data text not null,
    unique (run, seq)
  )${w.plain};

  -- what agents are doing: the newest of each run, and no part of the journal
  create table progress (
    cursor ${w.integer} primary key,
    run text not null references run(id) on delete cascade,
    task text not null,
    attempt ${w.integer} not null,
    at ${w.integer} not null,
    message text not null
  )${w.plain};
  create index progress_by_run on progress (run, cursor);

  -- What changes the plan of a run. Asked for by name in views.ts, with the same condition.
  create index event_of_plan on event (run, seq) where type in ('run.replanned', 'tasks.added');

  create table task (
    run text not null references run(id) on delete cascade,
    id text not null,
    status text not null,
    -- of the last event of the append that it came with
    cursor ${w.integer} not null,
    view text not null,
    primary key (run, id)
  )${w.keyed};
  create index task_by_cursor on task (run, cursor);

  -- outlives its run: see store/plan-tasks.ts
  create table plan_task (
    run text not null,
    run_at ${w.integer} not null,
    branch text not null,
    task text not null,
    file text not null,
    format text not null,
    part text,
    source text not null,
    says text not null,
    status text not null,
    landed_commit text,
    ended_at ${w.integer},
    primary key (run, task)
    ${w.ordered}
  )${w.plain};
  create index plan_task_by_status on plan_task (status, ended_at);

  create table request (
    id ${w.serial},
    run text not null references run(id) on delete cascade,
    at ${w.integer} not null,
    data text not null
  )${w.plain};
  create index request_by_run on request (run, id);

  create table note (
    run text not null references run(id) on delete cascade,
    name text not null,
    data text not null,
    primary key (run, name)
  )${w.keyed};

  create table passed (
    tree text not null,
    commands text not null,
    at ${w.integer} not null,
    primary key (tree, commands)
  )${w.keyed};

  create table lesson (
    id text primary key,
    domain text not null,
    data text not null
  )${w.keyed};

  create table experience (
    id ${w.serial},
    run text not null,
    task text not null,
    attempt ${w.integer} not null,
    data text not null,
    unique (run, task, attempt)
  )${w.plain};

  create table learned (
    run text primary key references run(id) on delete cascade,
    seq ${w.integer} not null
  )${w.keyed};

  -- outlives its run: see store/suite-history.ts
  create table suite_entry (
    run text not null,
    id text not null,
    key text not null,
    at ${w.integer} not null,
    machine text not null,
    passed ${w.truth} not null,
    duration_ms ${w.real} not null,
    data text not null,
    primary key (run, id)
    ${w.ordered}
  )${w.plain};
  create index suite_entry_by_key on suite_entry (key, at);

  create table test_file (
    file text not null,
    machine text not null,
    duration_ms ${w.real} not null,
    at ${w.integer} not null,
    primary key (file, machine)
  )${w.keyed};

  create table hold (
    id ${w.serial},
    name text not null,
    glob text not null,
    since ${w.integer} not null,
    until ${w.integer} not null
  )${w.plain};
    `,
    `drop table if exists lesson_audit;${w.dropped}`,
    // Removed kinds of lessons.
    `delete from lesson where data like '%"kind":"together"%' or data like '%"kind":"command"%';`,
  ]
}

const SQLITE = {
  integer: 'integer',
  real: 'real',
  truth: 'integer',
  /** The primary key of rows whose numbers are never reused. */
  serial: 'integer primary key autoincrement',
  /** A column for the order in which rows were inserted. */
  ordered: '',
  /** A column for the number of a run's newest event, if the database needs one. */
  newestSeq: '',
  /** The end of a table with a row id, and of one with only its key. */
  plain: ' strict',
  keyed: ' strict, without rowid',
  /** The newest number of the feed, and of other counters. */
  counters: `
  -- the newest number of the feed: of an event or of progress
  create table feed (last integer not null) strict;
  insert into feed (last) values (0);`,
  dropped: '',
}

/** `user_version` is the number of applied migrations. */
export const SQLITE_MIGRATIONS = migrations(SQLITE)

/** The table `migration` lists the applied ones. */
export const POSTGRES_MIGRATIONS = migrations({
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
