-- What each turn of a visitor adds to the statistics, until it is counted: written with the turn, gone within a minute.
create table turn_paths (
  conversation_id bigint not null,
  project_id bigint not null,
  chatbot_id bigint not null,
  turn integer not null,
  path json not null,
  at timestamptz not null,
  primary key (conversation_id, turn)
);

-- How far each visitor's conversation came, one row each, narrow: the statistics read them all.
create table conversation_visits (
  conversation_id bigint primary key,
  project_id bigint not null,
  chatbot_id bigint not null,
  flow_version_id bigint not null,
  environment text not null check (environment in ('production', 'sharing')),
  -- on which it began, in UTC
  day date not null,
  -- waiting: for the visitor; pausing: the bot waits by itself; left: given up for good
  status text not null check (status in ('waiting', 'pausing', 'completed', 'left')),
  -- where it waits or was left; flow '' is the main one
  flow text,
  group_id text,
  block_id text,
  last_at timestamptz not null,
  replies integer not null,
  -- what it has been counted for once: not again as a conversation; emptied when it is over
  places text[] not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
) with (toast_tuple_target = 256);
create index conversation_visits_chatbot on conversation_visits (project_id, chatbot_id, day);

-- How often each group was entered and each edge taken, by the day on which the conversations began. Grows with days and flows, not
-- with visitors, and outlives the conversations.
create table place_visits (
  project_id bigint not null,
  chatbot_id bigint not null,
  flow_version_id bigint not null references flow_versions (id) on delete cascade,
  environment text not null,
  day date not null,
  flow text not null,
  kind text not null check (kind in ('group', 'edge')),
  -- a group's id, or `<block id>/<port id>`
  place text not null,
  conversations integer not null,
  visits integer not null,
  primary key (flow_version_id, flow, day, environment, kind, place),
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);
create index place_visits_chatbot on place_visits (project_id, chatbot_id, flow, day);
