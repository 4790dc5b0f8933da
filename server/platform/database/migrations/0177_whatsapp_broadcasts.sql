-- A template that is sent to a segment of contacts (server/modules/whatsapp/broadcasts).
create table whatsapp_broadcasts (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  connection_id bigint not null,
  name text not null,
  -- as it was called then; a segment may be changed or deleted
  segment text not null,
  -- name and language of the template
  template json not null,
  -- what fills each place: a contact's field, and what stands for an empty one
  fills json not null,
  per_minute integer not null check (per_minute between 1 and 4800),
  -- what the owner says that a message costs
  price numeric(10, 4) not null,
  currency text not null,
  -- how many get nothing, by reason
  skipped json not null,
  status text not null check (status in ('running', 'stopped', 'done')),
  -- before which no more are sent
  next_at timestamptz not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (id, project_id),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade
);
create index whatsapp_broadcasts_project on whatsapp_broadcasts (project_id);
create index whatsapp_broadcasts_connection on whatsapp_broadcasts (connection_id);
create index whatsapp_broadcasts_by on whatsapp_broadcasts (created_by);

-- Who gets it, once each.
create table whatsapp_broadcast_people (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  broadcast_id bigint not null,
  contact_id bigint not null,
  person_id bigint not null,
  conversation_id bigint not null,
  -- the message in the conversation; null: it was not said yet
  seq integer,
  -- why it was not said
  problem text,
  unique (broadcast_id, person_id),
  foreign key (broadcast_id, project_id) references whatsapp_broadcasts (id, project_id) on delete cascade,
  foreign key (contact_id, project_id) references contacts (id, project_id) on delete cascade,
  foreign key (person_id, project_id) references whatsapp_people (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index whatsapp_broadcast_people_due on whatsapp_broadcast_people (broadcast_id, id) where seq is null and problem is null;
create index whatsapp_broadcast_people_project on whatsapp_broadcast_people (project_id);
create index whatsapp_broadcast_people_contact on whatsapp_broadcast_people (contact_id);
create index whatsapp_broadcast_people_person on whatsapp_broadcast_people (person_id);
create index whatsapp_broadcast_people_conversation on whatsapp_broadcast_people (conversation_id);
