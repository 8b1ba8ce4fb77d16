// Numbered migrations, applied in order under a lock and never edited once released. `migration` has those applied.
//
// JSON is kept as text: it comes back byte for byte, and `jsonb` cannot hold a NUL, which an agent may print.

export const MIGRATIONS = [
  `
  create table run (
    id text primary key,
    number bigint generated always as identity,
    name text not null,
    repo text not null,
    plan_file text,
    created_at bigint not null,
    plan text not null,
    settings text not null,
    view text,
    -- the newest version of the journal's language that was written of it: see store/upcast.ts
    journal_version integer not null,
    -- the number of its newest event
    last_seq bigint not null default 0
  );
  create index run_by_time on run (created_at) where view is not null;

  -- The newest numbers of what is numbered over all runs. Whoever takes some holds the row until they are committed,
  -- so what has a lower number is never seen later. A sequence would not do: it lets the later one be seen first.
  create table counter (
    name text primary key,
    last bigint not null
  );
  insert into counter (name, last) values ('feed', 0), ('request', 0), ('audit', 0), ('experience', 0), ('hold', 0);

  -- who may append: see lead.ts
  create table lead (
    epoch bigint not null,
    leader text
  );
  insert into lead (epoch) values (0);

  create table event (
    cursor bigint primary key,
    run text not null references run(id) on delete cascade,
    seq bigint not null,
    version integer not null,
    at bigint not null,
    type text not null,
    task text,
    data text not null,
    unique (run, seq)
  );
  create index event_of_plan on event (run, seq) where type in ('run.replanned', 'tasks.added');

  -- what agents are doing: the newest of each run, and no part of the journal
  create table progress (
    cursor bigint primary key,
    run text not null references run(id) on delete cascade,
    task text not null,
    attempt integer not null,
    at bigint not null,
    message text not null
  );
  create index progress_by_run on progress (run, cursor);

  create table task (
    run text not null references run(id) on delete cascade,
    id text not null,
    status text not null,
    -- of the last event of the append that it came with
    cursor bigint not null,
    view text not null,
    primary key (run, id)
  );
  create index task_by_cursor on task (run, cursor);

  -- outlives its run: see store/ledger.ts
  create table plan_task (
    number bigint generated always as identity,
    run text not null,
    run_at bigint not null,
    branch text not null,
    task text not null,
    file text not null,
    format text not null,
    part text,
    source text not null,
    says text not null,
    status text not null,
    landed_commit text,
    ended_at bigint,
    primary key (run, task)
  );
  create index plan_task_by_status on plan_task (status, ended_at);

  create table request (
    id bigint primary key,
    run text not null references run(id) on delete cascade,
    at bigint not null,
    data text not null
  );
  create index request_by_run on request (run, id);

  create table note (
    run text not null references run(id) on delete cascade,
    name text not null,
    data text not null,
    primary key (run, name)
  );

  create table passed (
    tree text not null,
    commands text not null,
    at bigint not null,
    primary key (tree, commands)
  );

  create table lesson (
    id text primary key,
    domain text not null,
    data text not null
  );

  create table lesson_audit (
    id bigint primary key,
    lesson text not null,
    data text not null
  );
  create index lesson_audit_by_lesson on lesson_audit (lesson, id);

  create table experience (
    id bigint primary key,
    run text not null,
    task text not null,
    attempt integer not null,
    data text not null,
    unique (run, task, attempt)
  );

  create table learned (
    run text primary key references run(id) on delete cascade,
    seq bigint not null
  );

  -- outlives its run: see store/suite-store.ts
  create table suite_entry (
    number bigint generated always as identity,
    run text not null,
    id text not null,
    key text not null,
    at bigint not null,
    machine text not null,
    passed boolean not null,
    duration_ms double precision not null,
    data text not null,
    primary key (run, id)
  );
  create index suite_entry_by_key on suite_entry (key, at);

  create table test_file (
    file text not null,
    machine text not null,
    duration_ms double precision not null,
    at bigint not null,
    primary key (file, machine)
  );

  create table hold (
    id bigint primary key,
    name text not null,
    glob text not null,
    since bigint not null,
    until bigint not null
  );
  `,
  `
  drop table lesson_audit;
  delete from counter where name = 'audit';
  `,
]
