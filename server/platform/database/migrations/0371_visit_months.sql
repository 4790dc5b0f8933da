-- Sums of place_visits and visit_counts by months: how far visitors came in a year is read from twelfths of the rows
-- (server/modules/statistics/README.md, "Months").
create table place_months (
  project_id bigint not null,
  chatbot_id bigint not null,
  flow_version_id bigint not null,
  environment text not null,
  channel text not null,
  -- its first day
  month date not null,
  flow text not null,
  kind text not null,
  place text not null,
  conversations integer not null,
  visits integer not null,
  primary key (chatbot_id, month, flow_version_id, flow, environment, channel, kind, place),
  foreign key (flow_version_id, project_id) references flow_versions (id, project_id) on delete cascade,
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);
create index place_months_version on place_months (flow_version_id);
create table visit_months (
  project_id bigint not null,
  chatbot_id bigint not null,
  flow_version_id bigint not null,
  environment text not null,
  channel text not null,
  -- its first day
  month date not null,
  status text not null,
  flow text not null,
  group_id text not null,
  block_id text not null,
  replies integer not null,
  conversations integer not null,
  primary key (chatbot_id, month, flow_version_id, environment, channel, status, flow, group_id, block_id, replies),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);

insert into place_months
select project_id, chatbot_id, flow_version_id, environment, channel, date_trunc('month', day)::date, flow, kind, place,
  sum(conversations), sum(visits)
from place_visits group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
insert into visit_months
select project_id, chatbot_id, flow_version_id, environment, channel, date_trunc('month', day)::date, status, flow, group_id,
  block_id, replies, sum(conversations)
from visit_counts group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 having sum(conversations) <> 0;

-- Rows of days are added and changed under the locks of those who count. They are removed with their version or their chatbot alone, and
-- those of months likewise.
create function count_place_months() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update place_months as sums
    set conversations = sums.conversations - gone.conversations, visits = sums.visits - gone.visits
    from (
      select chatbot_id, date_trunc('month', day)::date as month, flow_version_id, flow, environment, channel, kind, place,
        sum(conversations) as conversations, sum(visits) as visits
      from old_rows group by 1, 2, 3, 4, 5, 6, 7, 8
    ) as gone
    where (sums.chatbot_id, sums.month, sums.flow_version_id, sums.flow, sums.environment, sums.channel, sums.kind, sums.place)
      = (gone.chatbot_id, gone.month, gone.flow_version_id, gone.flow, gone.environment, gone.channel, gone.kind, gone.place);
  end if;
  insert into place_months as sums
  select project_id, chatbot_id, flow_version_id, environment, channel, date_trunc('month', day)::date, flow, kind, place,
    sum(conversations), sum(visits)
  from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  on conflict (chatbot_id, month, flow_version_id, flow, environment, channel, kind, place) do update
    set conversations = sums.conversations + excluded.conversations, visits = sums.visits + excluded.visits;
  return null;
end $$;
create trigger months_added after insert on place_visits referencing new table as new_rows
  for each statement execute function count_place_months();
create trigger months_changed after update on place_visits referencing old table as old_rows new table as new_rows
  for each statement execute function count_place_months();

create function count_visit_months() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update visit_months as sums set conversations = sums.conversations - gone.conversations
    from (
      select chatbot_id, date_trunc('month', day)::date as month, flow_version_id, environment, channel, status, flow, group_id,
        block_id, replies, sum(conversations) as conversations
      from old_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) as gone
    where (sums.chatbot_id, sums.month, sums.flow_version_id, sums.environment, sums.channel, sums.status, sums.flow, sums.group_id,
        sums.block_id, sums.replies)
      = (gone.chatbot_id, gone.month, gone.flow_version_id, gone.environment, gone.channel, gone.status, gone.flow, gone.group_id,
        gone.block_id, gone.replies);
  end if;
  insert into visit_months as sums
  select project_id, chatbot_id, flow_version_id, environment, channel, date_trunc('month', day)::date, status, flow, group_id,
    block_id, replies, sum(conversations)
  from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  on conflict (chatbot_id, month, flow_version_id, environment, channel, status, flow, group_id, block_id, replies) do update
    set conversations = sums.conversations + excluded.conversations;
  return null;
end $$;
create trigger months_added after insert on visit_counts referencing new table as new_rows
  for each statement execute function count_visit_months();
create trigger months_changed after update on visit_counts referencing old table as old_rows new table as new_rows
  for each statement execute function count_visit_months();
