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

create table migration (number integer primary key, at timestamptz not null default now());
insert into migration (number) values (1);
insert into run (id, name, repo, plan_file, created_at, plan, settings, view, journal_version, last_seq) values ('s', 'plan', '/repo', null, '2', '{"name":"plan","base":null,"epics":[],"tasks":[{"title":"do a","epic":null,"needs":[],"after":[],"claims":{"write":[],"read":[]},"work":{"kind":"command","command":"true"},"verify":[],"priority":0,"estimateMs":null,"timeoutMs":60000,"retries":0,"land":true,"isolation":"task","env":{},"tags":[],"id":"a"}]}', '{"stateDir":null,"store":null,"engineRepository":null,"maxConcurrency":3,"autoConcurrency":false,"labels":[],"workersOnly":false,"maxPerEpic":null,"schedule":"eager","strict":false,"agent":"command","command":null,"agents":{"claude":{"program":"claude","args":[],"model":null,"tiers":["claude-haiku-5-5","claude-sonnet-5-5","claude-opus-5-5"],"patienceMs":60000},"codex":{"program":"codex","args":[],"model":null,"tiers":["gpt-6-luna","gpt-6.1-terra","gpt-6.1-sol"],"patienceMs":60000},"opencode":{"program":"opencode","args":[],"model":null,"tiers":[],"patienceMs":60000},"gemini":{"program":"gemini","args":[],"model":null,"tiers":["gemini-2.5-flash-lite","gemini-2.5-flash","gemini-2.5-pro"],"patienceMs":60000},"acp":{}},"learning":{"enabled":true,"promptTokens":800},"models":{"tolerance":0.02},"retries":1,"iterations":1,"timeoutMs":1800000,"stallAfterMs":300000,"onStall":"report","claims":"warn","budgetUsd":null,"onBudget":"finish","strictBudget":false,"prices":{},"backoff":{"initialMs":2000,"maxMs":300000},"mcp":true,"writeBack":true,"graceMs":5000,"keep":[],"checks":[],"setup":[],"setupInputs":["package.json","package-lock.json","npm-shrinkwrap.json","yarn.lock","pnpm-lock.yaml","bun.lock","Cargo.lock","go.mod","go.sum","requirements.txt","pyproject.toml","poetry.lock","uv.lock","Gemfile.lock","composer.lock","mix.lock","gradle.lockfile","pubspec.lock","flake.lock"],"envAllow":[],"ports":{"first":20000,"perSlot":20},"logs":{"chunkBytes":4194304,"maxBytes":33554432},"history":{"runs":20,"days":30},"notify":{"bell":false,"desktop":false,"command":null},"landing":{"conflict":"retry","verify":[],"timeoutMs":1800000,"window":1,"batch":256,"allgreen":false,"reruns":3,"env":{},"merge":"regular","signoff":null}}', '{"run":"s","name":"plan","status":"running","resumable":true,"repo":"/repo","enginePid":1,"branch":"espalier/s","base":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","head":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","startedAt":2,"finishedAt":null,"slots":1,"schedule":"eager","counts":{"total":1,"pending":1,"ready":0,"running":0,"landing":0,"landed":0,"passed":0,"failed":0,"blocked":0,"conflict":0,"cancelled":0},"usage":{"inputTokens":0,"outputTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0,"reasoningTokens":0,"costUsd":0}}', 1, '2');
insert into run (id, name, repo, plan_file, created_at, plan, settings, view, journal_version, last_seq) values ('r', 'plan', '/repo', null, '1', '{"name":"plan","base":null,"epics":[],"tasks":[{"title":"do a","epic":null,"needs":[],"after":[],"claims":{"write":[],"read":[]},"work":{"kind":"command","command":"true"},"verify":[],"priority":0,"estimateMs":null,"timeoutMs":60000,"retries":0,"land":true,"isolation":"task","env":{},"tags":[],"id":"a"}]}', '{"stateDir":null,"store":null,"engineRepository":null,"maxConcurrency":3,"autoConcurrency":false,"labels":[],"workersOnly":false,"maxPerEpic":null,"schedule":"eager","strict":false,"agent":"command","command":null,"agents":{"claude":{"program":"claude","args":[],"model":null,"tiers":["claude-haiku-5-5","claude-sonnet-5-5","claude-opus-5-5"],"patienceMs":60000},"codex":{"program":"codex","args":[],"model":null,"tiers":["gpt-6-luna","gpt-6.1-terra","gpt-6.1-sol"],"patienceMs":60000},"opencode":{"program":"opencode","args":[],"model":null,"tiers":[],"patienceMs":60000},"gemini":{"program":"gemini","args":[],"model":null,"tiers":["gemini-2.5-flash-lite","gemini-2.5-flash","gemini-2.5-pro"],"patienceMs":60000},"acp":{}},"learning":{"enabled":true,"promptTokens":800},"models":{"tolerance":0.02},"retries":1,"iterations":1,"timeoutMs":1800000,"stallAfterMs":300000,"onStall":"report","claims":"warn","budgetUsd":null,"onBudget":"finish","strictBudget":false,"prices":{},"backoff":{"initialMs":2000,"maxMs":300000},"mcp":true,"writeBack":true,"graceMs":5000,"keep":[],"checks":[],"setup":[],"setupInputs":["package.json","package-lock.json","npm-shrinkwrap.json","yarn.lock","pnpm-lock.yaml","bun.lock","Cargo.lock","go.mod","go.sum","requirements.txt","pyproject.toml","poetry.lock","uv.lock","Gemfile.lock","composer.lock","mix.lock","gradle.lockfile","pubspec.lock","flake.lock"],"envAllow":[],"ports":{"first":20000,"perSlot":20},"logs":{"chunkBytes":4194304,"maxBytes":33554432},"history":{"runs":20,"days":30},"notify":{"bell":false,"desktop":false,"command":null},"landing":{"conflict":"retry","verify":[],"timeoutMs":1800000,"window":1,"batch":256,"allgreen":false,"reruns":3,"env":{},"merge":"regular","signoff":null}}', '{"run":"r","name":"plan","status":"running","resumable":true,"repo":"/repo","enginePid":1,"branch":"espalier/r","base":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","head":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","startedAt":2,"finishedAt":null,"slots":1,"schedule":"eager","counts":{"total":1,"pending":1,"ready":0,"running":0,"landing":0,"landed":0,"passed":0,"failed":0,"blocked":0,"conflict":0,"cancelled":0},"usage":{"inputTokens":0,"outputTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0,"reasoningTokens":0,"costUsd":0}}', 1, '2');
insert into event (cursor, run, seq, version, at, type, task, data) values ('1', 's', '1', 1, '1001', 'run.interrupted', null, '{"type":"run.interrupted","request":null}');
insert into event (cursor, run, seq, version, at, type, task, data) values ('2', 's', '2', 1, '1002', 'run.interrupted', null, '{"type":"run.interrupted","request":null}');
insert into event (cursor, run, seq, version, at, type, task, data) values ('3', 'r', '1', 1, '1001', 'run.interrupted', null, '{"type":"run.interrupted","request":null}');
insert into event (cursor, run, seq, version, at, type, task, data) values ('4', 'r', '2', 1, '1002', 'run.interrupted', null, '{"type":"run.interrupted","request":null}');
insert into progress (cursor, run, task, attempt, at, message) values ('5', 'r', 'a', 1, '5', '"NUL \u0000 \"q\" \\ ü 😀"');
insert into task (run, id, status, cursor, view) values ('r', 'a', 'landed', '4', '{"id":"a","title":"a","epic":null,"needs":[],"status":"landed","startedAt":null,"finishedAt":null,"durationMs":null,"landedCommit":null,"landedAt":null,"outcome":null,"attempts":0,"failure":null,"conflict":null,"retryAt":null,"stalledSince":null,"history":[]}');
insert into task (run, id, status, cursor, view) values ('r', 'b', 'ready', '4', '{"id":"b","title":"b","epic":null,"needs":[],"status":"ready","startedAt":null,"finishedAt":null,"durationMs":null,"landedCommit":null,"landedAt":null,"outcome":null,"attempts":0,"failure":null,"conflict":null,"retryAt":null,"stalledSince":null,"history":[]}');
insert into task (run, id, status, cursor, view) values ('s', 'a', 'landed', '2', '{"id":"a","title":"a","epic":null,"needs":[],"status":"landed","startedAt":null,"finishedAt":null,"durationMs":null,"landedCommit":null,"landedAt":null,"outcome":null,"attempts":0,"failure":null,"conflict":null,"retryAt":null,"stalledSince":null,"history":[]}');
insert into task (run, id, status, cursor, view) values ('s', 'b', 'ready', '2', '{"id":"b","title":"b","epic":null,"needs":[],"status":"ready","startedAt":null,"finishedAt":null,"durationMs":null,"landedCommit":null,"landedAt":null,"outcome":null,"attempts":0,"failure":null,"conflict":null,"retryAt":null,"stalledSince":null,"history":[]}');
insert into plan_task (run, run_at, branch, task, file, format, part, source, says, status, landed_commit, ended_at) values ('r', '1', 'espalier/r', 'a', 'tasks.md', 'md', null, '1.2', 'x', 'landed', null, null);
insert into plan_task (run, run_at, branch, task, file, format, part, source, says, status, landed_commit, ended_at) values ('r', '1', 'espalier/r', 'b', 'tasks.md', 'md', null, '1.1', 'x', 'ready', null, null);
insert into request (id, run, at, data) values ('1', 's', '1795053701974', '{"type":"task.cancelled","task":"a","request":null}');
insert into request (id, run, at, data) values ('2', 'r', '1795053701974', '{"type":"task.cancelled","task":"a","request":null}');
insert into note (run, name, data) values ('r', 'plan', '{"ü":[null,"a\u0000b"]}');
insert into note (run, name, data) values ('s', 'plan', '{"ü":[null,"a\u0000b"]}');
insert into passed (tree, commands, at) values ('t', 'c', '1795053701975');
insert into lesson (id, domain, data) values ('0123456789', 'api', '{"id":"0123456789","domain":"api","kind":"advice","text":"Mind the gap.","paths":[],"confidence":0.6,"seen":1,"helped":0,"failed":0,"evidence":[{"run":"r1","task":"a","attempt":1,"session":"s1","commit":"cccccccccccccccccccccccccccccccccccccccc"}],"learnedAt":1,"updatedAt":1}');
insert into lesson (id, domain, data) values ('1123456789', 'api', '{"id":"1123456789","domain":"api","kind":"together","text":"Changes of a went with changes of b.","paths":[],"confidence":0.6,"seen":1,"helped":0,"failed":0,"evidence":[{"run":"r1","task":"a","attempt":1,"session":"s1","commit":"cccccccccccccccccccccccccccccccccccccccc"}],"learnedAt":1,"updatedAt":1}');
insert into experience (id, run, task, attempt, data) values ('1', 'r1', 'a', 1, '{"run":"r1","task":"a","attempt":1,"at":1,"agent":"claude","model":"small","domain":"api","complexity":0.4,"words":["invoice"],"succeeded":true,"costUsd":1,"durationMs":60000}');
insert into learned (run, seq) values ('r', '2');
insert into suite_entry (run, id, key, at, machine, passed, duration_ms, data) values ('r', 'b', 'k', '1', 'm', true, 1.5, '{"run":"r","id":"b","suite":"s","key":"k","at":1,"machine":"m","tree":"t","verdict":"passed","tries":[true],"durationMs":1.5}');
insert into suite_entry (run, id, key, at, machine, passed, duration_ms, data) values ('r', 'a', 'k', '1', 'm', false, 1.5, '{"run":"r","id":"a","suite":"s","key":"k","at":1,"machine":"m","tree":"t","verdict":"passed","tries":[false],"durationMs":1.5}');
insert into test_file (file, machine, duration_ms, at) values ('x.test.ts', 'm', 12.25, '3');
insert into hold (id, name, glob, since, until) values ('1', 'ana', 'a', '1', '9');
update counter set last = 1 where name = 'experience';
update counter set last = 5 where name = 'feed';
update counter set last = 2 where name = 'hold';
update counter set last = 2 where name = 'request';
