-- Webhooks of WhatsApp as they came: stored before they are answered, read afterwards, and deleted in the transaction that stores what
-- they say (server/modules/whatsapp/storeWebhooks.ts, readStored.ts).
create table whatsapp_webhooks (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  -- whose secret signs it
  connection_id bigint not null,
  body bytea not null,
  -- sha256 of the body: one that comes again while it waits is there already
  body_hash bytea not null check (octet_length(body_hash) = 32),
  -- it failed among others: it is tried by itself, and holds up nobody
  apart boolean not null default false,
  created_at timestamptz not null,
  unique (connection_id, body_hash),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade
);
create index whatsapp_webhooks_waiting on whatsapp_webhooks (connection_id, id) where not apart;
create index whatsapp_webhooks_project on whatsapp_webhooks (project_id);
create index whatsapp_webhooks_created on whatsapp_webhooks (created_at);
