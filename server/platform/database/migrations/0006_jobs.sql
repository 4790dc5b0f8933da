-- Work that is due at a time: one row a job, gone once it is done.
create table jobs (
  id bigint generated always as identity primary key,
  -- null for the installation's own
  project_id bigint references projects (id) on delete cascade,
  kind text not null,
  -- of the jobs of a kind with the same key there is one: the one scheduled last
  key text,
  payload json not null,
  -- when it may be taken; while it is being carried out, when its lease ends
  run_at timestamptz not null,
  attempts integer not null default 0,
  -- who carries it out, renewed with every taking: what was superseded meanwhile ends nothing
  lease text,
  -- given up after its last attempt, with the reason
  failed_at timestamptz,
  error text,
  created_at timestamptz not null,
  unique (kind, key)
);
create index jobs_due on jobs (run_at) where failed_at is null;
create index jobs_project on jobs (project_id) where project_id is not null;
