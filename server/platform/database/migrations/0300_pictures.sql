-- The picture that a person shows beside their name, to colleagues and to visitors whom they answer.
create table user_pictures (
  -- another one for each picture: what browsers keep under it stays right
  gid text primary key,
  user_id bigint not null unique references users (id) on delete cascade,
  -- a JPEG
  bytes bytea not null check (octet_length(bytes) <= 200000),
  created_at timestamptz not null
);
-- beside the name, which many statements read
alter table users add column picture text references user_pictures (gid) on delete set null;
create index users_picture on users (picture) where picture is not null;
