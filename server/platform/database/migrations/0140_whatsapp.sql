-- A chatbot's number at WhatsApp (server/modules/whatsapp).
create table whatsapp_connections (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null unique,
  app_id text not null,
  -- the WhatsApp Business account
  business_id text not null,
  -- the number's id, by which webhooks name it
  number_id text not null unique,
  -- as people know the number, and the name that they see
  phone_number text not null,
  verified_name text not null,
  quality text not null,
  -- JSON: token, secret of the app, verify token, PIN
  sealed_keys text not null,
  registered boolean not null,
  -- why it does not work; null: it works, as far as is known
  problem text,
  checked_at timestamptz not null,
  connected_by bigint references users (id) on delete set null,
  connected_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index whatsapp_connections_project on whatsapp_connections (project_id);
create index whatsapp_connections_by on whatsapp_connections (connected_by);

-- People who write to a number. WhatsApp names them by a user id, a phone number, or both.
create table whatsapp_people (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  connection_id bigint not null,
  user_id text,
  phone text,
  name text not null,
  -- their address in conversations: what they were first known by
  address text not null,
  -- anything may be sent to them for 24 hours after their last message; earlier, if WhatsApp says so
  wrote_at timestamptz not null,
  window_closed boolean not null default false,
  -- until when a process takes their messages into a conversation: one at a time, in their order
  busy_until timestamptz,
  unique (id, project_id),
  unique (connection_id, address),
  unique (connection_id, user_id),
  check (user_id is not null or phone is not null),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade
);
create index whatsapp_people_project on whatsapp_people (project_id);
create index whatsapp_people_phone on whatsapp_people (connection_id, phone);

-- Messages as they came in: stored before WhatsApp is answered, taken into conversations afterwards, in their order.
create table whatsapp_inbound (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  connection_id bigint not null,
  person_id bigint not null,
  -- WhatsApp's id of the message: it may come several times
  wamid text not null,
  message json not null,
  sent_at timestamptz not null,
  taken_at timestamptz,
  -- why it is in no conversation
  problem text,
  created_at timestamptz not null,
  unique (connection_id, wamid),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade,
  foreign key (person_id, project_id) references whatsapp_people (id, project_id) on delete cascade
);
create index whatsapp_inbound_due on whatsapp_inbound (person_id, sent_at, id) where taken_at is null;
create index whatsapp_inbound_person on whatsapp_inbound (person_id);
create index whatsapp_inbound_created on whatsapp_inbound (created_at);

-- Calls that send: one for each part of a message, noted before it is made.
create table whatsapp_sends (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  connection_id bigint not null,
  person_id bigint not null,
  -- the delivery, and which of its parts
  key text not null,
  part integer not null,
  -- trying: the answer may be lost, and a status may say what became of it
  status text not null check (status in ('trying', 'accepted', 'sent', 'delivered', 'read', 'failed')),
  wamid text,
  error text,
  tried_at timestamptz not null,
  unique (key, part),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade,
  foreign key (person_id, project_id) references whatsapp_people (id, project_id) on delete cascade
);
create index whatsapp_sends_wamid on whatsapp_sends (connection_id, wamid);
create index whatsapp_sends_pair on whatsapp_sends (person_id, tried_at);

-- How far a channel says that a message has come; null: it does not say.
alter table deliveries add column reached text check (reached in ('delivered', 'read'));
