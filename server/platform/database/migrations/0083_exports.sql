-- Exports of a project's data: made by a job, page by page, and kept some days (server/modules/exports/README.md).
create table exports (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  -- null: of all chatbots
  chatbot_id bigint,
  kind text not null check (kind in ('conversations', 'contacts', 'leads', 'results', 'analytics', 'project')),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed')),
  -- days in UTC, inclusive; null: without a bound
  first_day text,
  last_day text,
  -- rows that there were at the beginning, and those that are written
  total integer not null default 0,
  rows integer not null default 0,
  bytes bigint not null default 0,
  -- where it goes on: the section, and the last row of the section's part before
  section integer not null default 0,
  cursor text,
  -- by section: names of the columns in their order
  columns json not null default '{}',
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index exports_project on exports (project_id, id desc);
create index exports_created_by on exports (created_by) where created_by is not null;
create index exports_expires on exports (expires_at);

-- Rows of an export as JSON lines, compressed by gzip; a part is written in the transaction that moves the export's cursor.
create table export_parts (
  export_id bigint not null,
  project_id bigint not null,
  position integer not null,
  section text not null,
  rows integer not null,
  data bytea not null,
  primary key (export_id, position),
  foreign key (export_id, project_id) references exports (id, project_id) on delete cascade
);
alter table export_parts alter column data set storage external;
