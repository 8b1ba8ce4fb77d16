// Numbered migrations, applied in order and never edited once released. `user_version` counts those applied.

export const MIGRATIONS = [
  `
  create table run (
    id text primary key,
    name text not null,
    repo text not null,
    plan_file text,
    created_at integer not null,
    plan text not null,
    settings text not null,
    view text,
    -- the newest version of the journal's language that was written of it: see store/upcast.ts
    journal_version integer not null
  ) strict;

  -- the newest number of the feed: of an event or of progress
  create table feed (
    last integer not null
  ) strict;
  insert into feed (last) values (0);
  -- The newest without a look at every plan there is.
  create index run_by_time on run (created_at) where view is not null;

  -- who may append: see lead.ts
  create table lead (
    epoch integer not null,
    leader text
  ) strict;
  insert into lead (epoch) values (0);

  create table event (
    cursor integer primary key,
    run text not null references run(id) on delete cascade,
    seq integer not null,
    version integer not null,
    at integer not null,
    type text not null,
    task text,
    data text not null,
    unique (run, seq)
  ) strict;

  -- what agents are doing: the newest of each run, and no part of the journal
  create table progress (
    cursor integer primary key,
    run text not null references run(id) on delete cascade,
    task text not null,
    attempt integer not null,
    at integer not null,
    message text not null
  ) strict;
  create index progress_by_run on progress (run, cursor);

  -- What changes the plan of a run. Asked for by name in views.ts, with the same condition: SQLite would not choose it.
  create index event_of_plan on event (run, seq) where type in ('run.replanned', 'tasks.added');

  create table task (
    run text not null references run(id) on delete cascade,
    id text not null,
    status text not null,
    -- of the last event of the append that it came with
    cursor integer not null,
    view text not null,
    primary key (run, id)
  ) strict, without rowid;
  create index task_by_cursor on task (run, cursor);

  -- outlives its run: see store/ledger.ts
  create table plan_task (
    run text not null,
    run_at integer not null,
    branch text not null,
    task text not null,
    file text not null,
    format text not null,
    part text,
    source text not null,
    says text not null,
    status text not null,
    landed_commit text,
    ended_at integer,
    primary key (run, task)
  ) strict;
  create index plan_task_by_status on plan_task (status, ended_at);

  create table request (
    id integer primary key autoincrement,
    run text not null references run(id) on delete cascade,
    at integer not null,
    data text not null
  ) strict;
  create index request_by_run on request (run, id);

  create table note (
    run text not null references run(id) on delete cascade,
    name text not null,
    data text not null,
    primary key (run, name)
  ) strict, without rowid;

  create table passed (
    tree text not null,
    commands text not null,
    at integer not null,
    primary key (tree, commands)
  ) strict, without rowid;

  create table lesson (
    id text primary key,
    domain text not null,
    data text not null
  ) strict, without rowid;

  create table lesson_audit (
    id integer primary key autoincrement,
    lesson text not null,
    data text not null
  ) strict;
  create index lesson_audit_by_lesson on lesson_audit (lesson, id);

  create table experience (
    id integer primary key autoincrement,
    run text not null,
    task text not null,
    attempt integer not null,
    data text not null,
    unique (run, task, attempt)
  ) strict;

  create table learned (
    run text primary key references run(id) on delete cascade,
    seq integer not null
  ) strict, without rowid;

  -- outlives its run: see store/suite-store.ts
  create table suite_entry (
    run text not null,
    id text not null,
    key text not null,
    at integer not null,
    machine text not null,
    passed integer not null,
    duration_ms real not null,
    data text not null,
    primary key (run, id)
  ) strict;
  create index suite_entry_by_key on suite_entry (key, at);

  create table test_file (
    file text not null,
    machine text not null,
    duration_ms real not null,
    at integer not null,
    primary key (file, machine)
  ) strict, without rowid;

  create table hold (
    id integer primary key autoincrement,
    name text not null,
    glob text not null,
    since integer not null,
    until integer not null
  ) strict;
  `,
  `
  drop table lesson_audit;
  `,
]
