-- Keys by which programs act in a project as whoever made them: what that person may no longer do, the key can't either.
create table api_keys (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 300),
  -- its first and last characters: what tells keys apart in a list
  preview text not null,
  -- sha256: the key itself is shown once and kept nowhere
  key_hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_project on api_keys (project_id, id);
create index api_keys_user on api_keys (user_id);
