-- Figures of a year that were still read from a row each: the work of members, questions, credits (server/modules/insights/README.md).

-- The sums of agent_rows, a day of UTC each. They change with these, in the same transaction.
create table agent_days (like agent_rows);
alter table agent_days rename column quarter to day;
alter table agent_days
  add primary key (chatbot_id, day, environment, channel, user_id),
  add foreign key (user_id) references users (id) on delete cascade,
  add foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade;
create index agent_days_project on agent_days (project_id, day);
create index agent_days_user on agent_days (user_id);
insert into agent_days (project_id, chatbot_id, environment, channel, day, user_id,
  taken, replied, closed, closed_seconds, messages, first_answers, first_answer_seconds, rated, rating_sum, sent)
select project_id, chatbot_id, environment, channel, date_bin('1 day', quarter, 'epoch'), user_id,
  sum(taken), sum(replied), sum(closed), sum(closed_seconds), sum(messages), sum(first_answers), sum(first_answer_seconds),
  sum(rated), sum(rating_sum), sum(sent)
from agent_rows group by 1, 2, 3, 4, 5, 6;

-- What members sent in a month of UTC, by the quarter of the day (0 to 95, UTC): in a month without a change of clocks a zone's
-- hours are these, moved. A row for each choice of a filter: '' is any.
create table agent_hours (
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  month timestamptz not null,
  user_id bigint not null references users (id) on delete cascade,
  slot integer not null,
  sent integer not null,
  primary key (chatbot_id, environment, channel, month, user_id, slot),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index agent_hours_project on agent_hours (project_id, environment, channel, month);
create index agent_hours_user on agent_hours (user_id);
insert into agent_hours (project_id, chatbot_id, environment, channel, month, user_id, slot, sent)
select project_id, chatbot_id, filter.environment, filter.channel, date_trunc('month', quarter, 'UTC'), user_id,
  extract(epoch from quarter)::bigint / 900 % 96, sum(sent)
from agent_rows as rows
  cross join lateral (values ('', ''), (rows.environment, ''), ('', rows.channel), (rows.environment, rows.channel))
    as filter (environment, channel)
where sent <> 0 group by 1, 2, 3, 4, 5, 6, 7;

-- what was sent in other months, without the table
create index agent_rows_sent on agent_rows (project_id, quarter) include (chatbot_id, environment, channel, user_id, sent)
  where sent <> 0;

-- How often a wording was asked at any time, and how often of that without an answer: no period has it more often, so that those
-- asked most are looked for among the first of these alone. Chatbot 0 is the whole project. They change with the questions.
create table asked_wordings (
  project_id bigint not null references projects (id) on delete cascade,
  chatbot_id bigint not null,
  wording_hash bigint not null,
  asked integer not null,
  unanswered integer not null,
  primary key (project_id, chatbot_id, wording_hash)
);
create index asked_wordings_asked on asked_wordings (project_id, chatbot_id, asked desc, wording_hash) where asked > 1;
create index asked_wordings_unanswered on asked_wordings (project_id, chatbot_id, unanswered desc, wording_hash)
  where unanswered > 1;
insert into asked_wordings
select project_id, place, wording_hash, count(*), count(*) filter (where not answered)
from asked_questions cross join lateral (values (chatbot_id), (0)) as places (place)
where wording <> '' group by 1, 2, 3;
create index asked_questions_wording on asked_questions (project_id, wording_hash, started_at)
  include (chatbot_id, environment, channel, answered);

create function count_wordings() returns trigger language plpgsql as $$
begin
  -- the lock of counting: two that count the same wordings in different orders would wait for each other
  perform pg_advisory_xact_lock(7027703);
  if tg_op <> 'INSERT' then
    with gone as (
      select project_id, place, wording_hash, count(*) as asked, count(*) filter (where not answered) as unanswered
      from old_rows cross join lateral (values (chatbot_id), (0)) as places (place)
      where wording <> '' group by 1, 2, 3)
    update asked_wordings as sums
    set asked = sums.asked - gone.asked, unanswered = sums.unanswered - gone.unanswered
    from gone
    where sums.project_id = gone.project_id and sums.chatbot_id = gone.place and sums.wording_hash = gone.wording_hash;
  end if;
  if tg_op <> 'DELETE' then
    insert into asked_wordings as sums
    select project_id, place, wording_hash, count(*), count(*) filter (where not answered)
    from new_rows cross join lateral (values (chatbot_id), (0)) as places (place)
    where wording <> '' group by 1, 2, 3
    on conflict (project_id, chatbot_id, wording_hash) do update
      set asked = sums.asked + excluded.asked, unanswered = sums.unanswered + excluded.unanswered;
  end if;
  if tg_op <> 'INSERT' then
    -- what nobody asks any more says nothing of who did
    delete from asked_wordings as sums using old_rows as gone
    where sums.project_id = gone.project_id and sums.chatbot_id in (gone.chatbot_id, 0)
      and sums.wording_hash = gone.wording_hash and sums.asked <= 0;
  end if;
  return null;
end $$;
create trigger wordings_added after insert on asked_questions referencing new table as new_rows
  for each statement execute function count_wordings();
create trigger wordings_changed after update on asked_questions referencing old table as old_rows new table as new_rows
  for each statement execute function count_wordings();
create trigger wordings_removed after delete on asked_questions referencing old table as old_rows
  for each statement execute function count_wordings();

-- AI message credits of a day, rolled up once it is over. Chatbot 0: of none, or of one that was deleted.
create table insight_credits (
  project_id bigint not null references projects (id) on delete cascade,
  chatbot_id bigint not null,
  day timestamptz not null,
  amount numeric not null,
  primary key (project_id, day, chatbot_id)
);
create function tell_credits_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into insight_changes select distinct project_id, date_bin('1 day', used_at, 'epoch') from old_rows
      where credit = 'ai_message_credits';
  end if;
  if tg_op <> 'DELETE' then
    insert into insight_changes select distinct project_id, date_bin('1 day', used_at, 'epoch') from new_rows
      where credit = 'ai_message_credits';
  end if;
  return null;
end $$;
create trigger tell_added after insert on credit_uses referencing new table as new_rows
  for each statement execute function tell_credits_changed();
create trigger tell_changed after update on credit_uses referencing old table as old_rows new table as new_rows
  for each statement execute function tell_credits_changed();
create trigger tell_removed after delete on credit_uses referencing old table as old_rows
  for each statement execute function tell_credits_changed();
-- days that were rolled up without them are rolled up again
insert into insight_changes
select distinct project_id, date_bin('1 day', used_at, 'epoch') from credit_uses where credit = 'ai_message_credits';
