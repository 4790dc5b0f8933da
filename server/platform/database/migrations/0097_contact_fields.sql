-- What a project describes of its contacts' own fields; values stay in contacts.custom, by name.
create table contact_fields (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null,
  type text not null check (type in ('text', 'number', 'date', 'boolean', 'choice', 'url')),
  choices text[] not null default '{}',
  -- a column of the table of contacts
  in_table boolean not null default false,
  created_at timestamptz not null,
  unique (project_id, name)
);

-- Contacts by condition: saved filters (server/modules/contacts/README.md).
create table contact_segments (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null,
  filter jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id)
);
create unique index contact_segments_name on contact_segments (project_id, lower(name));

-- An export may be of a segment's contacts: as it was when the export was asked for.
alter table exports add column filter jsonb;

-- Who a site has signed the person to be (setUser); user_id is what anybody may say.
alter table contacts add column verified_id text;
create unique index contacts_verified on contacts (project_id, verified_id) where verified_id is not null;
