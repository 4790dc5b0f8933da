-- Blocks are counted as groups are, and all of it by channel: '' is what was counted before channels were told apart.
alter table place_visits
  drop constraint place_visits_kind_check,
  add constraint place_visits_kind_check check (kind in ('group', 'edge', 'block')),
  add column channel text not null default '',
  drop constraint place_visits_pkey,
  add constraint place_visits_pkey primary key (flow_version_id, flow, day, environment, channel, kind, place);
alter table place_visits alter column channel drop default;

alter table run_visits add column channel text not null default '';
alter table run_visits disable trigger user;
update run_visits set channel = conversations.channel
from runs join conversations on conversations.id = runs.conversation_id and conversations.project_id = runs.project_id
where runs.id = run_visits.run_id and runs.project_id = run_visits.project_id;
alter table run_visits enable trigger user;
alter table run_visits alter column channel drop default;

truncate visit_counts;
alter table visit_counts
  add column channel text not null,
  drop constraint visit_counts_pkey,
  add constraint visit_counts_pkey
    primary key (chatbot_id, day, flow_version_id, environment, channel, status, flow, group_id, block_id, replies);
insert into visit_counts (project_id, chatbot_id, flow_version_id, environment, channel, day, status, flow, group_id, block_id,
  replies, conversations)
select project_id, chatbot_id, flow_version_id, environment, channel, day, status,
  coalesce(flow, '?'), coalesce(group_id, ''), coalesce(block_id, ''), replies, count(*)
from run_visits group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;

create or replace function count_run_visits() returns trigger language plpgsql as $$
begin
  -- two transactions that change the same counts in another order would wait for each other
  perform pg_advisory_xact_lock(7027703);
  if tg_op <> 'INSERT' then
    update visit_counts c set conversations = c.conversations - gone.n
    from (
      select chatbot_id, day, flow_version_id, environment, channel, status, coalesce(flow, '?') as flow,
        coalesce(group_id, '') as group_id, coalesce(block_id, '') as block_id, replies, count(*) as n
      from gone_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) gone
    where (c.chatbot_id, c.day, c.flow_version_id, c.environment, c.channel, c.status, c.flow, c.group_id, c.block_id, c.replies)
      = (gone.chatbot_id, gone.day, gone.flow_version_id, gone.environment, gone.channel, gone.status, gone.flow, gone.group_id,
        gone.block_id, gone.replies);
  end if;
  if tg_op <> 'DELETE' then
    insert into visit_counts (project_id, chatbot_id, flow_version_id, environment, channel, day, status, flow, group_id,
      block_id, replies, conversations)
    select project_id, chatbot_id, flow_version_id, environment, channel, day, status,
      coalesce(flow, '?'), coalesce(group_id, ''), coalesce(block_id, ''), replies, count(*)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    on conflict (chatbot_id, day, flow_version_id, environment, channel, status, flow, group_id, block_id, replies)
      do update set conversations = visit_counts.conversations + excluded.conversations;
  end if;
  return null;
end $$;

-- Which groups and blocks of the main flow a run came to: each of their counts leads to its conversations.
create table run_places (
  run_id bigint not null,
  project_id bigint not null,
  chatbot_id bigint not null,
  -- on which the run began, in UTC
  day date not null,
  kind text not null check (kind in ('group', 'block')),
  place text not null,
  primary key (run_id, kind, place),
  foreign key (run_id, project_id) references runs (id, project_id) on delete cascade
);
create index run_places_place on run_places (chatbot_id, kind, place, day, run_id);

-- what is known of runs that are under way; of those that are over it was forgotten
insert into run_places
select run_id, project_id, chatbot_id, day, 'group', substr(place, length('group /') + 1)
from run_visits cross join unnest(places) as place where place like 'group /%'
on conflict do nothing;

-- At which hours a member wrote leads to its conversations, whenever these began.
drop index agent_facts_user;
create index agent_facts_user on agent_facts (user_id, quarter);
