-- The sums of a quarter over its environments, channels and languages: most looks at the figures ask for all of these, and a busy
-- chatbot has nearly as many rows of insight_rows as conversations.
create table insight_totals (
  project_id bigint not null,
  chatbot_id bigint not null,
  quarter timestamptz not null,
  conversations integer not null,
  returning_visitors integer not null,
  messages integer not null,
  visitor_messages integer not null,
  bot_messages integer not null,
  person_messages integer not null,
  silent integer not null,
  resolved_bot integer not null,
  resolved_person integer not null,
  unresolved integer not null,
  handed_over integer not null,
  person_answered integer not null,
  answer_seconds bigint not null,
  rated integer not null,
  rating_sum integer not null,
  rated_1 integer not null,
  rated_2 integer not null,
  rated_3 integer not null,
  rated_4 integer not null,
  rated_5 integer not null,
  helpful integer not null,
  unhelpful integer not null,
  questions integer not null,
  answered integer not null,
  primary key (chatbot_id, quarter),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index insight_totals_project on insight_totals (project_id, quarter);
insert into insight_totals (project_id, chatbot_id, quarter,
  conversations, returning_visitors, messages, visitor_messages, bot_messages, person_messages, silent,
  resolved_bot, resolved_person, unresolved, handed_over, person_answered, answer_seconds, rated, rating_sum,
  rated_1, rated_2, rated_3, rated_4, rated_5, helpful, unhelpful, questions, answered)
select project_id, chatbot_id, quarter,
  sum(conversations), sum(returning_visitors), sum(messages), sum(visitor_messages), sum(bot_messages),
  sum(person_messages), sum(silent), sum(resolved_bot), sum(resolved_person), sum(unresolved),
  sum(handed_over), sum(person_answered), sum(answer_seconds), sum(rated), sum(rating_sum), sum(rated_1),
  sum(rated_2), sum(rated_3), sum(rated_4), sum(rated_5), sum(helpful), sum(unhelpful), sum(questions),
  sum(answered)
from insight_rows group by project_id, chatbot_id, quarter;

-- Where and when the conversation of a question began, so that questions are counted without their conversations; and a number that stands
-- for the wording, by which they are grouped.
alter table asked_questions
  add environment text,
  add channel text,
  add started_at timestamptz,
  add wording_hash bigint generated always as (hashtextextended(wording, 0)) stored;
update asked_questions asked
set environment = facts.environment, channel = facts.channel, started_at = facts.started_at
from conversation_facts facts
where facts.conversation_id = asked.conversation_id and facts.project_id = asked.project_id;
-- counted with their conversation, in one transaction: one without the other is not there
delete from asked_questions where started_at is null;
alter table asked_questions
  alter environment set not null,
  alter channel set not null,
  alter started_at set not null;
-- what is grouped is read from indexes alone
create index asked_questions_project on asked_questions (project_id, started_at)
  include (chatbot_id, environment, channel, wording_hash, answered, conversation_id);
create index conversation_facts_grouped on conversation_facts (project_id, started_at)
  include (chatbot_id, environment, channel, visitor, page);
drop index conversation_facts_project;
drop index asked_questions_chatbot;
