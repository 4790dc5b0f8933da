-- Where a project's events are sent: see server/modules/webhooks.
create table webhook_endpoints (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  url text not null,
  description text not null,
  -- names of webhookEvents (server/contracts/webhookEvents.ts)
  events text[] not null,
  -- whether payloads name people and say what they wrote
  personal boolean not null,
  enabled boolean not null,
  -- why it was switched off by itself; null: it was not
  stopped text check (stopped in ('failures', 'gone')),
  stopped_at timestamptz,
  sealed_secret text not null,
  -- the secret before it, which signs as well until then
  sealed_old_secret text,
  old_secret_until timestamptz,
  -- attempts in a row that failed, and since when
  failures integer not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id)
);
create index webhook_endpoints_project on webhook_endpoints (project_id);

-- What is sent to an endpoint: an event once, with the same id and the same bytes at each attempt.
create table webhook_messages (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  endpoint_id bigint not null,
  -- the event that it tells of; null: a test
  event_id bigint,
  type text not null,
  body text not null,
  -- whom it is about, so that it is erased with them
  conversation_id bigint,
  contact_id bigint,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- of the present round: sending again begins another one
  attempts integer not null default 0,
  -- when it is tried; during an attempt, when that counts as lost
  next_at timestamptz,
  created_at timestamptz not null,
  unique (id, project_id),
  unique (endpoint_id, event_id),
  check ((status = 'pending') = (next_at is not null)),
  foreign key (endpoint_id, project_id) references webhook_endpoints (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade,
  foreign key (contact_id, project_id) references contacts (id, project_id) on delete cascade
);
create index webhook_messages_due on webhook_messages (endpoint_id, next_at, id) where status = 'pending';
create index webhook_messages_endpoint on webhook_messages (endpoint_id, id desc);
create index webhook_messages_project on webhook_messages (project_id);
create index webhook_messages_old on webhook_messages (created_at);
create index webhook_messages_conversation on webhook_messages (conversation_id) where conversation_id is not null;
create index webhook_messages_contact on webhook_messages (contact_id) where contact_id is not null;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  message_id bigint not null,
  at timestamptz not null,
  -- milliseconds
  duration integer not null,
  -- the answer's; null: there was none
  status integer,
  -- the beginning of what was answered
  answer text not null,
  -- why it failed; null: it did not
  error text,
  foreign key (message_id, project_id) references webhook_messages (id, project_id) on delete cascade
);
create index webhook_attempts_message on webhook_attempts (message_id, id);
create index webhook_attempts_project on webhook_attempts (project_id);
