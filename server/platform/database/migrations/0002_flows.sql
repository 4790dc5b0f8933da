-- A flow's draft is a Yjs document: updates are appended, a snapshot holds what has been folded together.
create table flows (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  chatbot_id bigint not null references chatbots (id) on delete cascade,
  title text not null check (char_length(title) <= 125),
  is_main boolean not null default false,
  -- the version that visitors get; null while nothing is published
  published_version_id bigint,
  created_at timestamptz not null default now(),
  -- for the tables below: a row of a flow always carries the flow's own project
  unique (id, project_id)
);
create unique index flows_one_main on flows (chatbot_id) where is_main;
create index flows_project on flows (project_id);

create table flow_updates (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  flow_id bigint not null,
  data bytea not null,
  created_at timestamptz not null default now(),
  foreign key (flow_id, project_id) references flows (id, project_id) on delete cascade
);
create index flow_updates_flow on flow_updates (flow_id, id);

create table flow_snapshots (
  flow_id bigint primary key,
  project_id bigint not null,
  data bytea not null,
  updated_at timestamptz not null default now(),
  foreign key (flow_id, project_id) references flows (id, project_id) on delete cascade
);
create index flow_snapshots_project on flow_snapshots (project_id);

-- Frozen flows. A playground run freezes the draft without a number; equal drafts share a row by their hash.
create table flow_versions (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  flow_id bigint not null,
  number integer,
  hash text not null,
  -- json, not jsonb: kept as written, and jsonb refuses the character U+0000
  flow json not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  foreign key (flow_id, project_id) references flows (id, project_id) on delete cascade,
  unique (flow_id, number)
);
create unique index flow_versions_draft on flow_versions (flow_id, hash) where number is null;
create index flow_versions_project on flow_versions (project_id);

alter table flows add foreign key (published_version_id) references flow_versions (id);
