-- Addresses at which other programs call triggers of flows: see server/modules/webhooks/incoming.
create table webhook_triggers (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  -- the trigger, in the document of the chatbot's main flow
  block_id text not null,
  -- the address' last part: found by its sha256, shown to editors
  token_hash bytea not null unique,
  sealed_token text not null,
  -- what calls are signed with; null: they are not
  sealed_secret text,
  -- what was sent last, for choosing values in the form; forgotten after a while
  sample text,
  sample_at timestamptz,
  -- what came of the last call: null: it was taken
  problem text,
  called_at timestamptz,
  created_at timestamptz not null,
  unique (chatbot_id, block_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index webhook_triggers_project on webhook_triggers (project_id);
create index webhook_triggers_samples on webhook_triggers (sample_at) where sample is not null;
