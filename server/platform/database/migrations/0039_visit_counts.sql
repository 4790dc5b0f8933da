-- How many conversations stand how and where, by the day on which they began: statistics read these few rows instead of one a conversation.
create table visit_counts (
  project_id bigint not null,
  chatbot_id bigint not null,
  flow_version_id bigint not null,
  environment text not null,
  day date not null,
  status text not null,
  -- where they wait or were left: '' is the main flow, '?' nowhere
  flow text not null,
  group_id text not null,
  block_id text not null,
  replies integer not null,
  conversations integer not null,
  primary key (chatbot_id, day, flow_version_id, environment, status, flow, group_id, block_id, replies),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);
-- Who waits and was heard of a moment ago has not left yet: of half an hour, however many conversations there are.
create index conversation_visits_waiting on conversation_visits (project_id, chatbot_id, last_at) where status = 'waiting';

insert into visit_counts
select project_id, chatbot_id, flow_version_id, environment, day, status,
  coalesce(flow, '?'), coalesce(group_id, ''), coalesce(block_id, ''), replies, count(*)
from conversation_visits group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

-- Whatever changes conversation_visits, cascades among it, keeps the counts right: one statement each, in the same transaction.
create function count_conversation_visits() returns trigger language plpgsql as $$
begin
  -- two transactions that change the same counts in another order would wait for each other
  perform pg_advisory_xact_lock(7027703);
  if tg_op <> 'INSERT' then
    update visit_counts c set conversations = c.conversations - gone.n
    from (
      select chatbot_id, day, flow_version_id, environment, status, coalesce(flow, '?') as flow,
        coalesce(group_id, '') as group_id, coalesce(block_id, '') as block_id, replies, count(*) as n
      from gone_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) gone
    where (c.chatbot_id, c.day, c.flow_version_id, c.environment, c.status, c.flow, c.group_id, c.block_id, c.replies)
      = (gone.chatbot_id, gone.day, gone.flow_version_id, gone.environment, gone.status, gone.flow, gone.group_id,
        gone.block_id, gone.replies);
  end if;
  if tg_op <> 'DELETE' then
    insert into visit_counts
    select project_id, chatbot_id, flow_version_id, environment, day, status,
      coalesce(flow, '?'), coalesce(group_id, ''), coalesce(block_id, ''), replies, count(*)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    on conflict (chatbot_id, day, flow_version_id, environment, status, flow, group_id, block_id, replies)
      do update set conversations = visit_counts.conversations + excluded.conversations;
  end if;
  return null;
end $$;
create trigger count_new after insert on conversation_visits referencing new table as new_rows
  for each statement execute function count_conversation_visits();
create trigger count_changed after update on conversation_visits referencing old table as gone_rows new table as new_rows
  for each statement execute function count_conversation_visits();
create trigger count_gone after delete on conversation_visits referencing old table as gone_rows
  for each statement execute function count_conversation_visits();
