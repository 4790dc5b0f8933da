-- Bookings that conversations made or offered a link for, by which what a vendor tells later finds back to them
-- (server/modules/integrations/calendly).
create table bookings (
  id bigint generated always as identity primary key,
  -- goes along with the booking, and comes back with it
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  connection_id bigint not null,
  -- null: the playground
  conversation_id bigint,
  -- the call that made it
  call_key text not null,
  -- the link that was offered; null: none
  url text,
  -- how its time is written for the visitor
  time_zone text not null,
  language text not null,
  -- variables that are set anew when it is moved or cancelled; null: none
  saves jsonb,
  -- offered: nobody has booked yet
  state text not null default 'offered' check (state in ('offered', 'booked', 'rescheduled', 'canceled')),
  -- who is booked now, as the vendor names them, and who was before
  invitee text,
  ended text[] not null default '{}',
  start_at timestamptz,
  reschedule_url text,
  cancel_url text,
  created_at timestamptz not null,
  unique (project_id, call_key),
  foreign key (connection_id, project_id) references connections (id, project_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index bookings_connection on bookings (connection_id, invitee);
create index bookings_conversation on bookings (conversation_id);

-- Where Calendly tells of bookings: its subscription for a connection.
create table calendly_hooks (
  connection_id bigint primary key,
  project_id bigint not null,
  -- what it signs with if we may choose; sealed
  sealed_key text not null,
  -- whether it signs with the key of the installation's app instead
  by_app boolean not null,
  -- the subscription, as Calendly names it; null: there is none
  uri text,
  -- why there is none, in a sentence
  problem text,
  checked_at timestamptz not null,
  foreign key (connection_id, project_id) references connections (id, project_id) on delete cascade
);
create index calendly_hooks_project on calendly_hooks (project_id);
