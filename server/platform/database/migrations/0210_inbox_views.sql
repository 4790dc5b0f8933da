-- Views of the inbox that a member keeps under a name: see server/modules/inbox/keptViews.ts.
create table inbox_views (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  view text not null,
  -- as server/contracts/inboxViews.ts has them
  filters jsonb not null,
  created_at timestamptz not null
);
create unique index inbox_views_name on inbox_views (project_id, user_id, lower(name));
create index inbox_views_user on inbox_views (user_id);
