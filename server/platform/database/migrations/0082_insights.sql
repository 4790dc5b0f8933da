-- Conversations whose figures are to be counted again (server/modules/insights/README.md). No reference to them: it would wait
-- for their turns.
create table insight_pending (
  conversation_id bigint primary key,
  project_id bigint not null
);
create index insight_pending_project on insight_pending (project_id);

-- What each visitor's conversation adds to the figures: the columns of insight_rows, and what only it has.
create table conversation_facts (
  conversation_id bigint primary key,
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null check (environment in ('production', 'sharing')),
  channel text not null,
  -- '' is unknown
  language text not null,
  -- the quarter of an hour in which it began: all time zones' days and hours begin with one
  quarter timestamptz not null,
  visitor bytea,
  -- without the query; '' is unknown
  page text not null,
  started_at timestamptz not null,
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
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index conversation_facts_chatbot on conversation_facts (project_id, chatbot_id, started_at);
create index conversation_facts_project on conversation_facts (project_id, started_at);

-- The sums of the facts; they outlive the conversations.
create table insight_rows (
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  channel text not null,
  language text not null,
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
  primary key (chatbot_id, quarter, environment, channel, language),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index insight_rows_project on insight_rows (project_id, quarter);

-- What visitors asked that an answer was sought for.
create table asked_questions (
  conversation_id bigint not null,
  project_id bigint not null,
  chatbot_id bigint not null,
  -- counted in its conversation
  position integer not null,
  question text not null,
  -- the question without case, punctuation and double spaces: the same wording is one question
  wording text not null,
  answered boolean not null,
  -- titles of the sources that the answer cites
  sources text[] not null,
  asked_at timestamptz not null,
  primary key (conversation_id, position),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index asked_questions_chatbot on asked_questions (project_id, chatbot_id, asked_at);

-- What a visitor answered to the questions of a flow, a row a conversation.
create table flow_results (
  conversation_id bigint primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  environment text not null,
  -- [{ id, name, value }], in the order of the answers
  answers json not null,
  completed boolean not null,
  started_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index flow_results_chatbot on flow_results (project_id, chatbot_id, started_at desc, conversation_id desc);

-- Every form, email and phone that a flow took.
create table leads (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  -- null: the conversation was deleted
  conversation_id bigint,
  environment text not null,
  source text not null check (source in ('form', 'email', 'phone')),
  name text not null,
  email text not null,
  phone text not null,
  answers json not null,
  status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
  owner_id bigint references users (id) on delete set null,
  -- taken out by a person: the row stays, emptied, or counting the conversation again would bring it back
  deleted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete set null (conversation_id)
);
create unique index leads_conversation on leads (conversation_id) where conversation_id is not null;
create index leads_chatbot on leads (project_id, chatbot_id, id desc);
create index leads_owner on leads (owner_id) where owner_id is not null;

-- those of before are counted at the first start
insert into insight_pending (conversation_id, project_id)
  select id, project_id from conversations where environment in ('production', 'sharing');
