-- What members note of contacts.
alter table contacts
  add column tags text[] not null default '{}',
  add column blocked boolean not null default false;
create index contacts_tags on contacts using gin (tags) where tags <> '{}';

-- Who was erased, by whom, and how much of them; nothing of the person is left.
create table erasures (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects (id) on delete cascade,
  -- of the contact that there was
  contact text not null,
  erased_by bigint references users (id) on delete set null,
  conversations integer not null,
  leads integer not null,
  erased_at timestamptz not null
);
create index erasures_project on erasures (project_id, id desc);
create index erasures_by on erasures (erased_by) where erased_by is not null;

-- What a project keeps of visitors, and for how long (server/modules/privacy/README.md).
create table retention_rules (
  project_id bigint primary key references projects (id) on delete cascade,
  -- closed or silent conversations are deleted so many days after their last message; null: never
  delete_after_days integer check (delete_after_days between 1 and 3650),
  -- so many days after it closed, addresses and numbers in a conversation are blacked out; null: never
  redact_after_days integer check (redact_after_days between 0 and 3650),
  -- which: email, phone, card, iban
  redact text[] not null default '{}',
  updated_at timestamptz not null
);
-- What a run of the rules did.
create table retention_runs (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects (id) on delete cascade,
  day date not null,
  deleted integer not null,
  redacted integer not null,
  at timestamptz not null,
  unique (project_id, day)
);
alter table conversations add column redacted_at timestamptz;
create index conversations_by_change on conversations (project_id, updated_at)
  where environment in ('production', 'sharing');
