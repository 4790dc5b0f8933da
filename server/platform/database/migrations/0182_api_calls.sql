alter table api_keys add constraint api_keys_of_project unique (project_id, id);
drop index api_keys_project;

-- Answers of calls of the public API that named an idempotency key, for a day (server/modules/api/idempotency.ts).
create table api_calls (
  project_id bigint not null references projects (id) on delete cascade,
  api_key_id bigint not null,
  idempotency_key text not null,
  -- sha256 of what was sent: the same key means the same call
  fingerprint bytea not null,
  -- null: it is under way
  status int,
  answer text,
  created_at timestamptz not null,
  primary key (project_id, api_key_id, idempotency_key),
  foreign key (project_id, api_key_id) references api_keys (project_id, id) on delete cascade
);
create index api_calls_age on api_calls (created_at);

-- When a key ends by itself, how many calls it has, and the secret before the present one, which works a while longer.
alter table api_keys
  add column expires_at timestamptz,
  add column calls_a_minute int check (calls_a_minute > 0),
  add column old_key_hash bytea unique,
  add column old_key_until timestamptz;
