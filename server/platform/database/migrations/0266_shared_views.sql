-- a kept view may be a team's or everybody's: it stays when its keeper leaves, and goes with the team
alter table inbox_views
  add column shared text check (shared in ('team', 'everybody')),
  add column team_id bigint,
  add check ((shared is not distinct from 'team') = (team_id is not null)),
  add foreign key (team_id, project_id) references teams (id, project_id) on delete cascade,
  alter column user_id drop not null,
  drop constraint inbox_views_user_id_fkey,
  add constraint inbox_views_user_id_fkey foreign key (user_id) references users (id) on delete set null;
create index inbox_views_team on inbox_views (team_id, project_id) where team_id is not null;

-- how many open conversations a team has is read from it
create index conversations_open_of_team on conversations (project_id, team_id)
  where team_id is not null and status in ('bot', 'waiting', 'person');
