-- What happened, in the transaction of the command that did it: see server/platform/events.
create table events (
  id bigint generated always as identity,
  -- the database's run of transaction numbers: one more after a restore into another server, whose numbers begin anew
  epoch integer not null default 0,
  -- the transaction that wrote it: consumers read in this order, so that none is passed over that commits late
  tx xid8 not null default pg_current_xact_id(),
  project_id bigint not null references projects (id) on delete cascade,
  type text not null,
  version smallint not null,
  actor text not null check (actor in ('user', 'visitor', 'bot', 'system')),
  user_id bigint references users (id) on delete set null,
  -- the call, turn or job that it belongs to
  correlation text not null,
  payload jsonb not null,
  at timestamptz not null,
  primary key (id, at)
) partition by range (at);
-- what no month holds (partitions.ts makes them ahead of time)
create table events_default partition of events default;
create index events_order on events (epoch, tx, id);
create index events_of_project on events (project_id, at desc, id desc);
create index events_of_user on events (user_id);

create table event_consumers (
  name text primary key,
  -- the last event that was handled
  epoch integer not null,
  tx xid8 not null,
  position bigint not null,
  moved_at timestamptz not null
);

-- Events that a consumer could not handle: it goes on with others, and tries these again.
create table event_failures (
  consumer text not null references event_consumers (name) on delete cascade,
  event_id bigint not null,
  event_at timestamptz not null,
  project_id bigint not null references projects (id) on delete cascade,
  attempts integer not null,
  error text not null,
  -- null: given up
  retry_at timestamptz,
  primary key (consumer, event_id)
);
create index event_failures_due on event_failures (consumer, retry_at);
create index event_failures_of_project on event_failures (project_id);

-- Which server's transaction numbers the last epoch has.
alter table installation add column event_epoch integer not null default 0;
alter table installation add column event_server bigint;
