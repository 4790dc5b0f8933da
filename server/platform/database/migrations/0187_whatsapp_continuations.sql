-- Links by which a visitor of the web goes on at WhatsApp (server/modules/whatsapp/continuation.ts).
create table whatsapp_continuations (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  connection_id bigint not null,
  -- the conversation on the web
  conversation_id bigint not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- the message that used it; null: none has
  used_by text,
  -- whether both have one contact since; false: they are verified as different people
  joined boolean,
  -- both conversations tell of it
  told boolean not null default false,
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index whatsapp_continuations_project on whatsapp_continuations (project_id);
create index whatsapp_continuations_connection on whatsapp_continuations (connection_id);
create index whatsapp_continuations_conversation on whatsapp_continuations (conversation_id);
create index whatsapp_continuations_by on whatsapp_continuations (created_by);
create index whatsapp_continuations_old on whatsapp_continuations (expires_at);
