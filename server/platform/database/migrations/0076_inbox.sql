-- What support people need of a conversation: see server/modules/inbox.
create table labels (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null,
  color text not null,
  created_at timestamptz not null,
  unique (id, project_id)
);
create unique index labels_name on labels (project_id, lower(name));

create table teams (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  name text not null,
  -- who gets a conversation that is handed to the team
  assignment text not null check (assignment in ('manual', 'round_robin', 'least_busy')),
  created_at timestamptz not null,
  unique (id, project_id)
);
create unique index teams_name on teams (project_id, lower(name));

create table team_members (
  team_id bigint not null,
  project_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  -- when a conversation was last assigned to them in turn
  assigned_at timestamptz,
  primary key (team_id, user_id),
  foreign key (team_id, project_id) references teams (id, project_id) on delete cascade
);
create index team_members_project on team_members (project_id);
create index team_members_user on team_members (user_id);

alter table conversations
  add column priority smallint not null default 0 check (priority between 0 and 3),
  -- not shown among the open ones until then, or until the visitor writes
  add column snoozed_until timestamptz,
  -- since when the visitor waits for a person's answer; null: does not
  add column waiting_since timestamptz,
  add column team_id bigint,
  add foreign key (team_id, project_id) references teams (id, project_id) on delete set null (team_id);
update conversations set waiting_since = updated_at where status = 'waiting';

-- Lists of the inbox, newest first: tests are not in it.
create index conversations_inbox on conversations (project_id, status, updated_at desc, id desc)
  where environment in ('production', 'sharing');
create index conversations_newest on conversations (project_id, updated_at desc, id desc)
  where environment in ('production', 'sharing');
create index conversations_waiting on conversations (project_id, waiting_since) where waiting_since is not null;
create index conversations_snoozed on conversations (project_id, snoozed_until) where snoozed_until is not null;
create index conversations_team on conversations (team_id, project_id) where team_id is not null;

create table conversation_labels (
  conversation_id bigint not null,
  project_id bigint not null,
  label_id bigint not null,
  primary key (conversation_id, label_id),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade,
  foreign key (label_id, project_id) references labels (id, project_id) on delete cascade
);
create index conversation_labels_label on conversation_labels (label_id, conversation_id);
create index conversation_labels_project on conversation_labels (project_id);

-- What people tell each other about a conversation; the visitor never sees it.
create table conversation_notes (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  conversation_id bigint not null,
  author_id bigint references users (id) on delete set null,
  -- kept when the account goes
  author_name text not null,
  client_id text not null,
  body text not null,
  -- the number of the message that it stands behind
  after_seq integer not null,
  created_at timestamptz not null,
  unique (id, project_id),
  unique (conversation_id, client_id),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index conversation_notes_project on conversation_notes (project_id);
create index conversation_notes_author on conversation_notes (author_id) where author_id is not null;

create table note_mentions (
  note_id bigint not null,
  project_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  conversation_id bigint not null,
  primary key (note_id, user_id),
  foreign key (note_id, project_id) references conversation_notes (id, project_id) on delete cascade
);
create index note_mentions_user on note_mentions (user_id, project_id, conversation_id);
create index note_mentions_project on note_mentions (project_id);

-- Who took a conversation over, gave it back, closed it: written from the event log, shown between the messages.
create table conversation_activity (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  conversation_id bigint not null,
  kind text not null,
  -- who did it; null: the bot, the visitor, or the system
  user_id bigint references users (id) on delete set null,
  -- whom it concerns, and what
  subject_id bigint references users (id) on delete set null,
  detail text,
  -- the number of the message that it stands behind
  after_seq integer not null,
  at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index conversation_activity_conversation on conversation_activity (conversation_id, after_seq);
create index conversation_activity_project on conversation_activity (project_id);
create index conversation_activity_user on conversation_activity (user_id) where user_id is not null;
create index conversation_activity_subject on conversation_activity (subject_id) where subject_id is not null;

create table saved_replies (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  -- typed after a slash
  shortcut text not null,
  -- Markdown, with {{variables}}
  body text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index saved_replies_shortcut on saved_replies (project_id, lower(shortcut));

-- Visitors who may not write any more, by what tells them apart where they write.
create table blocked_visitors (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  chatbot_id bigint not null,
  -- of the web: sha256 of the browser's id
  visitor_hash bytea,
  -- of another channel
  channel text,
  address text,
  blocked_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  check ((visitor_hash is null) <> (address is null)),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create unique index blocked_visitors_hash on blocked_visitors (chatbot_id, visitor_hash) where visitor_hash is not null;
create unique index blocked_visitors_address on blocked_visitors (chatbot_id, channel, address) where address is not null;
create index blocked_visitors_project on blocked_visitors (project_id);
create index blocked_visitors_by on blocked_visitors (blocked_by) where blocked_by is not null;
