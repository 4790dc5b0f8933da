-- What the model of a chatbot may do beside answering. `config` is what its kind wants (engine/values/agentActions.ts).
create table agent_actions (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  kind text not null check (kind in ('buttons', 'lead-form', 'http-request', 'send-email', 'booking', 'hand-off')),
  name text not null check (char_length(name) between 1 and 64),
  -- when the model shall use it
  description text not null check (char_length(description) between 1 and 500),
  frequency text not null check (frequency in ('once', 'always')),
  parameters json not null,
  -- the name that its answer is kept under; null: it is not kept
  save_to text check (char_length(save_to) between 1 and 50),
  config json not null,
  enabled boolean not null,
  position int not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create unique index agent_actions_name on agent_actions (chatbot_id, lower(name));
create index agent_actions_creator on agent_actions (created_by) where created_by is not null;

-- Each time that one was carried out: the same key is carried out once, and what is for once a conversation once in it.
create table agent_action_uses (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  action_id bigint not null,
  -- names the conversation, or the talk of the playground, which has none
  talk text not null check (char_length(talk) <= 100),
  conversation_id bigint,
  key text not null check (char_length(key) <= 300),
  once boolean not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- what the model was told; null while it runs
  answer json,
  -- what is kept under the action's name for it
  saved json,
  used_at timestamptz not null,
  foreign key (action_id, project_id) references agent_actions (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create unique index agent_action_uses_key on agent_action_uses (action_id, key);
-- one that failed may be tried again
create unique index agent_action_uses_once on agent_action_uses (action_id, talk) where once and state <> 'failed';
create index agent_action_uses_talk on agent_action_uses (project_id, talk);
create index agent_action_uses_conversation on agent_action_uses (conversation_id) where conversation_id is not null;
-- those of the playground go after a day
create index agent_action_uses_playground on agent_action_uses (used_at) where conversation_id is null;
