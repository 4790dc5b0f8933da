-- Conversations: what is said, where the flow stands, and what the flow asked of the world outside.
create table conversations (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  chatbot_id bigint not null references chatbots (id) on delete cascade,
  -- a conversation keeps to the version that it began with
  flow_version_id bigint not null references flow_versions (id) on delete cascade,
  environment text not null check (environment in ('production', 'sharing', 'playground', 'editor')),
  -- a visitor's secret; null where an account's session stands for it
  token_hash bytea,
  started_by bigint references users (id) on delete cascade,
  -- 'running' outlives a transaction only while a call outside is under way: found after a crash, it is resumed
  state text not null check (state in ('running', 'waiting', 'ended')),
  -- json, not jsonb: a visitor may write U+0000, which jsonb refuses
  session json not null,
  -- the reply that a running turn works on
  pending json,
  last_seq integer not null default 0,
  turns integer not null default 0,
  start_client_id text not null,
  last_client_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id)
);
create unique index conversations_start on conversations (chatbot_id, environment, start_client_id);
create index conversations_chatbot on conversations (project_id, chatbot_id, id);
create index conversations_running on conversations (id) where state = 'running';

create table messages (
  conversation_id bigint not null,
  project_id bigint not null,
  seq integer not null,
  -- SPEC.md 9: 1 ai, 2 user
  author smallint not null check (author in (1, 2)),
  content json not null,
  block_id text,
  client_id text,
  created_at timestamptz not null,
  primary key (conversation_id, seq),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create unique index messages_client on messages (conversation_id, client_id) where client_id is not null;

-- What a turn asked of its host, in order. Written before a call outside is made, so that a turn that is resumed gets the same
-- answers, and makes no call a second time that was finished.
create table effects (
  conversation_id bigint not null,
  project_id bigint not null,
  turn integer not null,
  position integer not null,
  type text not null check (type in ('now', 'random', 'call')),
  -- for calls: the idempotency key and the request
  key text,
  request json,
  status text not null check (status in ('started', 'done')),
  result json,
  created_at timestamptz not null,
  primary key (conversation_id, turn, position),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);

-- The record of every step, for people who test a draft.
create table turn_records (
  conversation_id bigint not null,
  project_id bigint not null,
  turn integer not null,
  trace json not null,
  variables json not null,
  stopped json,
  created_at timestamptz not null,
  primary key (conversation_id, turn),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
