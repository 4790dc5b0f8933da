-- What members do in visitors' conversations, and the figures of it (server/modules/insights/README.md).

-- Who was given a conversation, and who closed it: from the event log, which keeps a year.
create table agent_acts (
  event_id bigint primary key,
  conversation_id bigint not null,
  project_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in ('taken', 'closed')),
  at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index agent_acts_conversation on agent_acts (conversation_id);
create index agent_acts_user on agent_acts (user_id);

-- What a conversation adds to the figures of a member: in the quarter of an hour in which it began, except `sent`, which
-- counts messages in the quarter in which they were sent.
create table agent_facts (
  conversation_id bigint not null,
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  quarter timestamptz not null,
  user_id bigint not null references users (id) on delete cascade,
  taken integer not null,
  replied integer not null,
  closed integer not null,
  closed_seconds bigint not null,
  messages integer not null,
  first_answers integer not null,
  first_answer_seconds bigint not null,
  rated integer not null,
  rating_sum integer not null,
  sent integer not null,
  primary key (conversation_id, user_id, quarter),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index agent_facts_user on agent_facts (user_id);

-- The sums of those; they outlive the conversations.
create table agent_rows (
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  quarter timestamptz not null,
  user_id bigint not null references users (id) on delete cascade,
  taken integer not null,
  replied integer not null,
  closed integer not null,
  closed_seconds bigint not null,
  messages integer not null,
  first_answers integer not null,
  first_answer_seconds bigint not null,
  rated integer not null,
  rating_sum integer not null,
  sent integer not null,
  primary key (chatbot_id, quarter, environment, channel, user_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index agent_rows_project on agent_rows (project_id, quarter);
create index agent_rows_user on agent_rows (user_id);

insert into agent_acts (event_id, conversation_id, project_id, user_id, kind, at)
  select e.id, c.id, c.project_id, u.id, case e.type when 'conversation.closed' then 'closed' else 'taken' end, e.at
  from events e
    join conversations c on c.gid = e.payload ->> 'conversation' and c.project_id = e.project_id
      and c.environment in ('production', 'sharing')
    join users u on case e.type when 'conversation.closed' then u.id = e.user_id
      else u.id = (e.payload ->> 'user')::bigint end
  where e.type in ('conversation.assigned', 'conversation.closed')
  on conflict do nothing;
insert into insight_pending (conversation_id, project_id)
  select conversation_id, project_id from agent_acts
  union
  select m.conversation_id, m.project_id from messages m join conversations c on c.id = m.conversation_id and c.project_id = m.project_id
  where m.sender_id is not null and c.environment in ('production', 'sharing')
  on conflict do nothing;
