-- Projects' accounts at vendors (server/modules/integrations).
create table connections (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  vendor text not null check (vendor ~ '^[a-z-]{2,40}$'),
  -- the account at the vendor: its id there, and how people know it
  account_id text not null,
  account_name text not null,
  -- what the vendor let us do
  scopes text[] not null default '{}',
  -- JSON; sealed. Null: they are worth nothing any more
  sealed_tokens text,
  expires_at timestamptz,
  -- why it does not work: a code of vendorErrors; null: it works, as far as is known
  problem text,
  problem_at timestamptz,
  connected_by bigint references users (id) on delete set null,
  connected_at timestamptz not null,
  -- when a call of it last succeeded, to the hour
  used_at timestamptz,
  unique (id, project_id),
  unique (project_id, vendor, account_id)
);

create index connections_connected_by on connections (connected_by);

-- Connecting that has begun: whoever comes back from the vendor has to be who went there, once, within minutes.
create table oauth_states (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  state_hash bytea not null unique,
  -- of the token of the session's cookie
  session_hash bytea not null,
  user_id bigint not null references users (id) on delete cascade,
  vendor text not null,
  -- for PKCE; sealed
  sealed_verifier text not null,
  -- where the person goes on afterwards: a path of this app
  return_to text not null,
  expires_at timestamptz not null
);
create index oauth_states_project on oauth_states (project_id);
create index oauth_states_user on oauth_states (user_id);

-- What a vendor last offered to choose from, for when it can't be asked.
create table vendor_choices (
  connection_id bigint not null,
  project_id bigint not null,
  -- which list: its name and what it is of
  list text not null,
  choices jsonb not null,
  fetched_at timestamptz not null,
  primary key (connection_id, list),
  foreign key (connection_id, project_id) references connections (id, project_id) on delete cascade
);
create index vendor_choices_project on vendor_choices (project_id);

-- Writes at vendors, each once: by the key of the call.
create table vendor_writes (
  project_id bigint not null references projects (id) on delete cascade,
  key text not null,
  -- what it writes to: a spreadsheet
  target text not null,
  done boolean not null default false,
  -- what the call is answered once it is done: numbers of rows, nothing that people said
  answer jsonb,
  -- the mark that it leaves at the vendor; null: none, or taken away again
  mark bigint,
  created_at timestamptz not null,
  primary key (project_id, key)
);
create index vendor_writes_target on vendor_writes (project_id, target) where mark is not null;
create index vendor_writes_created on vendor_writes (created_at);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check check (
  purpose in ('flow', 'hand-off', 'invitation', 'comment', 'credits', 'notification', 'answer', 'report', 'connection')
);
