-- People's answers go by mail to visitors who have left (server/modules/conversations/continuation).
alter table web_chats add column continuation jsonb not null default '{}';

create table mail_threads (
  conversation_id bigint primary key,
  project_id bigint not null,
  -- what the thread's tokens are made of
  sealed_key text not null,
  -- sha256 of each token: of the link back, of the address that replies go to, and of the link that ends such mails
  link_hash bytea not null,
  reply_hash bytea not null unique,
  unsubscribe_hash bytea not null unique,
  -- until when the link back opens the conversation; null: no mail has one
  link_until timestamptz,
  -- the last message that was mailed, or that the visitor has seen
  mailed_seq integer not null default 0,
  -- the mail being sent: its last message, and its idempotency key
  mailing_seq integer,
  mailing_key text,
  -- Message-IDs of the mails of both sides, the last ones
  message_ids text[] not null default '{}',
  -- when a page of the visitor was last seen to be open
  watched_at timestamptz,
  created_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index mail_threads_project on mail_threads (project_id);

-- Addresses that want no more such mails from a project: sha256 of the address in lower case.
create table mail_refusals (
  project_id bigint not null references projects (id) on delete cascade,
  address_hash bytea not null,
  refused_at timestamptz not null,
  primary key (project_id, address_hash)
);

-- Where visitors' replies to those mails arrive: one a project.
create table mail_inboxes (
  project_id bigint primary key references projects (id) on delete cascade,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  enabled boolean not null,
  kind text not null check (kind in ('imap', 'webhook')),
  -- what a thread's token is added to: support@example.com becomes support+token@example.com
  address text not null,
  host text not null default '',
  port integer not null default 993,
  username text not null default '',
  folder text not null default 'INBOX',
  -- of the mailbox, or what webhooks are signed with
  sealed_password text,
  sealed_secret text,
  -- how far the mailbox was read (RFC 9051: UIDVALIDITY, and the last UID)
  uid_validity text,
  last_uid bigint not null default 0,
  checked_at timestamptz,
  -- why it could not be read the last time
  problem text,
  updated_at timestamptz not null
);

-- Mails that came in: each once, by its Message-ID. Those that are no message of a conversation say why.
create table inbound_mails (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  message_id text not null,
  conversation_id bigint,
  status text not null check (status in ('accepted', 'refused', 'ignored')),
  reason text,
  sender text not null,
  subject text not null,
  received_at timestamptz not null,
  unique (project_id, message_id),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete set null (conversation_id)
);
create index inbound_mails_conversation on inbound_mails (conversation_id) where conversation_id is not null;
create index inbound_mails_project on inbound_mails (project_id, id desc);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check
  check (purpose in ('flow', 'hand-off', 'invitation', 'comment', 'credits', 'notification', 'answer', 'report'));
