-- Embedding models in files on this machine (server/modules/models/local). Their files lie in DATA_DIR/models.
create table local_models (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  address text,
  state text not null check (state in ('waiting', 'loading', 'packing', 'ready', 'failed')),
  problem text,
  loaded_bytes bigint not null default 0,
  total_bytes bigint,
  licence text,
  sha256 text,
  dimension integer,
  tokens integer,
  in_use boolean not null default false check (state = 'ready' or not in_use),
  -- attempts one after another that brought nothing
  stalled integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on local_models (project_id);
create unique index local_models_one_in_use on local_models (project_id) where in_use;
