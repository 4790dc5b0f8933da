-- What people say about a flow, in threads that are pinned to a group, a block or a spot of its canvas.
create table comment_threads (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  flow_id bigint not null,
  -- what it is pinned to: an id in the flow's document, which may lack it (deleted, and brought back by undo), or a spot
  anchor_kind text not null check (anchor_kind in ('group', 'block', 'spot')),
  anchor_id text check (char_length(anchor_id) <= 64),
  x double precision,
  y double precision,
  -- what that was called when the thread was begun: what is said of it once it is deleted
  place text not null check (char_length(place) <= 200),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by bigint references users (id) on delete set null,
  resolved_by_name text,
  check ((anchor_kind = 'spot') = (anchor_id is null)),
  check ((anchor_kind = 'spot') = (x is not null and y is not null)),
  unique (id, project_id),
  foreign key (flow_id, project_id) references flows (id, project_id) on delete cascade
);
create index comment_threads_flow on comment_threads (flow_id, id);
create index comment_threads_project on comment_threads (project_id);
create index comment_threads_resolver on comment_threads (resolved_by) where resolved_by is not null;

create table comments (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  thread_id bigint not null,
  -- null: the account is gone, and the name is what is left of it
  author_id bigint references users (id) on delete set null,
  author_name text not null,
  -- the sender's own name for it: sent again after a lost answer it is the same comment
  client_id text not null,
  -- with mentions as <@gid>; empty once it is deleted
  body text not null check (char_length(body) <= 5000),
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  unique (project_id, author_id, client_id),
  foreign key (thread_id, project_id) references comment_threads (id, project_id) on delete cascade
);
create index comments_thread on comments (thread_id, id);
create index comments_author on comments (author_id) where author_id is not null;

-- Up to which comment somebody has read a thread, and whether its mails are wanted.
create table comment_reads (
  project_id bigint not null,
  thread_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  last_comment_id bigint not null default 0,
  muted boolean not null default false,
  primary key (thread_id, user_id),
  foreign key (thread_id, project_id) references comment_threads (id, project_id) on delete cascade
);
create index comment_reads_user on comment_reads (user_id);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check check (purpose in ('flow', 'hand-off', 'invitation', 'comment'));
