-- Secrets that the flows of a project refer to by name: {{secret.NAME}}.
create table project_secrets (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null check (name ~ '^[A-Za-z0-9_]{1,50}$'),
  -- sealed by server/secrets
  sealed_value text not null,
  created_at timestamptz not null,
  changed_by bigint references users (id) on delete set null,
  changed_at timestamptz not null,
  unique (project_id, name)
);
create index project_secrets_changer on project_secrets (changed_by) where changed_by is not null;
-- Whether what stood open in a chatbot's flows, versions, records and tests was moved there (server/secrets/sealFlows).
alter table chatbots add column secrets_sealed boolean not null default false;
alter table chatbots alter column secrets_sealed set default true;
