-- Figures of a week by mail: who wants them, of what, and when (server/modules/insights/weekly). No row: nobody asked for them.
create table weekly_mails (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  user_id bigint not null,
  -- null: of all chatbots of the project
  chatbot_id bigint,
  enabled boolean not null,
  -- 1 is Monday
  weekday smallint not null check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  zone text not null,
  -- when the next one is due
  next_at timestamptz not null,
  -- a process is at it until then
  claimed_until timestamptz,
  created_at timestamptz not null,
  unique (id, project_id),
  unique nulls not distinct (project_id, user_id, chatbot_id),
  foreign key (project_id, user_id) references project_members (project_id, user_id) on delete cascade,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index weekly_mails_due on weekly_mails (next_at) where enabled;
create index weekly_mails_chatbot on weekly_mails (chatbot_id) where chatbot_id is not null;

-- People without an account who get them too, once they have said so.
create table weekly_mail_guests (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  weekly_mail_id bigint not null,
  email text not null,
  -- what the link that ends the mails is made of
  sealed_key text not null,
  -- sha256 of the tokens of both links
  confirm_hash bytea not null unique,
  end_hash bytea not null unique,
  -- until when they may say so
  confirm_until timestamptz not null,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  unique (weekly_mail_id, email),
  foreign key (weekly_mail_id, project_id) references weekly_mails (id, project_id) on delete cascade
);
create index weekly_mail_guests_project on weekly_mail_guests (project_id);
