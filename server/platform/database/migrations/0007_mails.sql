-- Every mail that was to be sent. Without a mail server it stays here, in the outbox.
create table mails (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  conversation_id bigint,
  -- the call that it was sent by: the same key is the same mail
  key text not null,
  purpose text not null check (purpose in ('flow', 'hand-off')),
  status text not null check (status in ('sending', 'sent', 'failed', 'outbox')),
  -- why it failed, or whom the server refused
  reason text,
  message_id text not null,
  from_name text not null,
  -- json: { to, cc, bcc, replyTo }, each a list of addresses
  addresses json not null,
  subject text not null,
  html text not null,
  body text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (project_id, key),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete set null (conversation_id)
);
create index mails_project on mails (project_id, id);
create index mails_conversation on mails (conversation_id) where conversation_id is not null;

-- What a project has used of its plan, one row a use and never changed: a use that came to nothing is followed by a negative one.
create table credit_uses (
  project_id bigint not null references projects (id) on delete cascade,
  credit text not null,
  key text not null,
  amount numeric(14, 4) not null,
  used_at timestamptz not null,
  primary key (project_id, credit, key)
);
create index credit_uses_month on credit_uses (project_id, credit, used_at);
