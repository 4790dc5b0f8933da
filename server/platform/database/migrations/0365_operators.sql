-- Who runs the installation: the account made by the printed link. If it is deleted, nobody follows by themselves.
alter table installation
  add column owner_id bigint references users (id) on delete set null,
  add column announcement text check (length(announcement) between 1 and 500),
  add column announcement_warns boolean not null default false,
  add column announced_at timestamptz;
update installation set owner_id = (select min(id) from users);
create index installation_owner on installation (owner_id);

alter table projects
  add column suspended_at timestamptz,
  add column suspended_why text check (length(suspended_why) <= 500);
-- The same on each of its chatbots: what visitors send asks the chatbot's row anyway, and no other of the project.
alter table chatbots add column suspended_at timestamptz;
alter table users
  add column suspended_at timestamptz,
  add column suspended_why text check (length(suspended_why) <= 500);

-- Whoever runs the installation sees it as another person for a while, by a session of their own.
alter table sessions
  add column viewing_user_id bigint references users (id) on delete set null,
  add column viewing_until timestamptz;
create index sessions_viewing on sessions (viewing_user_id) where viewing_user_id is not null;

-- What operators did. Names in words: the row outlives whom and what it names.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- an address of mail; null: the command line
  operator text check (length(operator) <= 320),
  action text not null check (length(action) <= 40),
  target text not null check (length(target) <= 400),
  details text not null default '' check (length(details) <= 600)
);
create index operator_actions_by_time on operator_actions (at desc);
