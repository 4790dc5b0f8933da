-- Uploaded files. The bytes lie in the file store under their hash; equal bytes in a project are one file.
create table files (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text not null,
  bytes integer not null check (bytes > 0),
  -- as the uploader called it; a file keeps the name that it came with first
  name text not null check (char_length(name) <= 255),
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  unique (project_id, sha256)
);
