-- Contacts from a CSV file: parsed once, checked, then written part by part (server/modules/contacts/README.md).
create table contact_imports (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null,
  status text not null check (status in ('parsed', 'checking', 'checked', 'running', 'done', 'failed')),
  encoding text not null,
  separator text not null,
  -- names of the columns, each with its first values
  columns json not null,
  rows integer not null,
  mapping json,
  -- the next part
  position integer not null default 0,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  refused integer not null default 0,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  unique (id, project_id)
);
create index contact_imports_project on contact_imports (project_id, id desc);
create index contact_imports_created_by on contact_imports (created_by) where created_by is not null;
create index contact_imports_expires on contact_imports (expires_at);

-- Rows as JSON, compressed by gzip; deleted once they are written.
create table contact_import_parts (
  import_id bigint not null,
  project_id bigint not null,
  position integer not null,
  data bytea not null,
  primary key (import_id, position),
  foreign key (import_id, project_id) references contact_imports (id, project_id) on delete cascade
);
alter table contact_import_parts alter column data set storage external;

-- What came of lines: the key by which a later line is found to be the same person, or what is wrong.
create table contact_import_lines (
  import_id bigint not null,
  project_id bigint not null,
  line integer not null,
  -- found while the file was parsed, whatever the mapping
  of_file boolean not null default false,
  -- sha256
  key bytea,
  "column" text,
  value text,
  message text,
  primary key (import_id, line),
  foreign key (import_id, project_id) references contact_imports (id, project_id) on delete cascade
);
create index contact_import_lines_key on contact_import_lines (import_id, key) where key is not null;
