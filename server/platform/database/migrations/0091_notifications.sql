-- What members are told of: see server/modules/notifications.
create table notifications (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  user_id bigint not null,
  kind text not null,
  -- the event that caused it: one notification for each member, however often it is handled
  key text not null,
  conversation_id bigint,
  contact_id bigint,
  -- the member who caused it
  actor_id bigint references users (id) on delete set null,
  created_at timestamptz not null,
  seen_at timestamptz,
  -- shown in the interface; others are only mailed or pushed
  in_app boolean not null,
  -- when it is mailed; null: not to be, or done
  mail_at timestamptz,
  -- when it is pushed to browsers; null: not to be, or done
  push_at timestamptz,
  unique (project_id, user_id, key),
  foreign key (project_id, user_id) references project_members (project_id, user_id) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade,
  foreign key (contact_id, project_id) references contacts (id, project_id) on delete cascade
);
create index notifications_shown on notifications (project_id, user_id, id desc) where in_app;
create index notifications_unseen on notifications (project_id, user_id) where in_app and seen_at is null;
create index notifications_conversation on notifications (conversation_id) where conversation_id is not null;
create index notifications_contact on notifications (contact_id) where contact_id is not null;
create index notifications_old on notifications (created_at);
create index notifications_actor on notifications (actor_id) where actor_id is not null;

-- What a member wants to be told of, and how; no row: the defaults.
create table notification_settings (
  project_id bigint not null,
  user_id bigint not null,
  settings jsonb not null,
  updated_at timestamptz not null,
  primary key (project_id, user_id),
  foreign key (project_id, user_id) references project_members (project_id, user_id) on delete cascade
);

-- SPEC.md 3: mails about each new contact and conversation, and how long a visitor may wait for a person.
alter table projects
  add column new_contact_notices boolean not null default false,
  add column new_contact_emails text[] not null default '{}',
  add column new_conversation_notices boolean not null default false,
  add column new_conversation_emails text[] not null default '{}',
  add column waiting_notice_minutes integer not null default 5 check (waiting_notice_minutes between 1 and 1440);

-- Browsers that members have notifications pushed to (RFC 8030).
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  endpoint text not null unique,
  -- the browser's public key, and what it authenticates messages with (RFC 8291), base64url
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check
  check (purpose in ('flow', 'hand-off', 'invitation', 'comment', 'credits', 'notification'));

-- The key pair that this installation's pushes are signed with (RFC 8292): made when the first browser asks for it.
create table push_keys (
  only_one boolean primary key default true check (only_one),
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);
