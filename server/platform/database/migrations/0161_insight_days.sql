-- Figures by days of UTC, so that a long period is read from few rows (server/modules/insights/README.md, "Days").

-- The sums of insight_rows, a day each. They change with these, in the same statement.
create table insight_days (like insight_rows);
alter table insight_days rename column quarter to day;
alter table insight_days
  add primary key (chatbot_id, day, environment, channel, language),
  add foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade;
create index insight_days_project on insight_days (project_id, day);
insert into insight_days (project_id, chatbot_id, environment, channel, language, day,
  conversations, returning_visitors, messages, visitor_messages, bot_messages, person_messages, silent,
  resolved_bot, resolved_person, unresolved, handed_over, person_answered, answer_seconds, rated, rating_sum,
  rated_1, rated_2, rated_3, rated_4, rated_5, helpful, unhelpful, questions, answered)
select project_id, chatbot_id, environment, channel, language, date_bin('1 day', quarter, 'epoch'),
  sum(conversations), sum(returning_visitors), sum(messages), sum(visitor_messages), sum(bot_messages),
  sum(person_messages), sum(silent), sum(resolved_bot), sum(resolved_person), sum(unresolved),
  sum(handed_over), sum(person_answered), sum(answer_seconds), sum(rated), sum(rating_sum), sum(rated_1),
  sum(rated_2), sum(rated_3), sum(rated_4), sum(rated_5), sum(helpful), sum(unhelpful), sum(questions),
  sum(answered)
from insight_rows group by 1, 2, 3, 4, 5, 6;

-- Days whose facts have changed since they were rolled up, a row a change. No reference and no key: nobody waits for anybody here.
create table insight_changes (
  project_id bigint not null,
  day timestamptz not null
);
create index insight_changes_day on insight_changes (project_id, day);
-- Days that were rolled up, and stand unless they are among the changes.
create table insight_rolled (
  project_id bigint not null references projects (id) on delete cascade,
  day timestamptz not null,
  primary key (project_id, day)
);

-- How many conversations of a day are by whom the last was on which day ('-infinity': none): who was not there since a period began is
-- one more visitor of it. A row for each choice of a filter: '' is any.
create table insight_visitors (
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  day timestamptz not null,
  last_day timestamptz not null,
  conversations integer not null,
  primary key (chatbot_id, environment, channel, day, last_day) include (project_id, conversations),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index insight_visitors_project on insight_visitors (project_id, environment, channel, day)
  include (chatbot_id, last_day, conversations);

-- In how many conversations of a day a page was open, and for how many of its questions a source was used; by filter as above.
create table insight_names (
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  list text not null check (list in ('page', 'source')),
  day timestamptz not null,
  name text not null,
  times integer not null,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index insight_names_chatbot on insight_names (chatbot_id, environment, channel, list, day) include (project_id, name, times);
create index insight_names_project on insight_names (project_id, environment, channel, list, day) include (chatbot_id, name, times);

-- whether and when a visitor was there before, without the table
create index conversation_facts_visitor on conversation_facts (chatbot_id, visitor, started_at, conversation_id)
  include (project_id, environment, channel) where visitor is not null;

-- Whatever adds or removes facts, cascades among it, tells of their days, and of that on which the visitor was there next.
-- A fact's place, visitor and page never change: it is removed and added instead.
create function tell_facts_changed() returns trigger language plpgsql as $$
begin
  -- the lock of counting: of two that add and remove facts of one visitor at once neither would see the other's
  perform pg_advisory_xact_lock(7027703);
  insert into insight_changes
  select distinct project_id, date_bin('1 day', started_at, 'epoch') from (
    select project_id, started_at from changed_rows
    union all
    select later.project_id, later.started_at from changed_rows c
      cross join lateral (
        values (null, null), (c.environment, null), (null, c.channel), (c.environment, c.channel)
      ) as filter (environment, channel)
      cross join lateral (
        select f.project_id, f.started_at from conversation_facts f
        where f.chatbot_id = c.chatbot_id and f.visitor = c.visitor and f.project_id = c.project_id
          and (f.started_at, f.conversation_id) > (c.started_at, c.conversation_id)
          and (filter.environment is null or f.environment = filter.environment)
          and (filter.channel is null or f.channel = filter.channel)
        order by f.started_at, f.conversation_id limit 1
      ) as later
  ) as told;
  return null;
end $$;
create trigger tell_added after insert on conversation_facts referencing new table as changed_rows
  for each statement execute function tell_facts_changed();
create trigger tell_removed after delete on conversation_facts referencing old table as changed_rows
  for each statement execute function tell_facts_changed();

-- The same for questions, whose sources never change either.
create function tell_questions_changed() returns trigger language plpgsql as $$
begin
  insert into insight_changes select distinct project_id, date_bin('1 day', started_at, 'epoch') from changed_rows;
  return null;
end $$;
create trigger tell_added after insert on asked_questions referencing new table as changed_rows
  for each statement execute function tell_questions_changed();
create trigger tell_removed after delete on asked_questions referencing old table as changed_rows
  for each statement execute function tell_questions_changed();

-- those of before are rolled up after the start
insert into insight_changes
select distinct project_id, date_bin('1 day', started_at, 'epoch') from conversation_facts;

-- Credits and leads of a period are read from the index alone.
create index credit_uses_period on credit_uses (project_id, credit, used_at) include (chatbot_id, amount);
drop index credit_uses_month;
create index leads_period on leads (project_id, created_at) include (chatbot_id, environment, deleted);
