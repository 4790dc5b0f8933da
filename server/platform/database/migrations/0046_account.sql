-- What the account's screen tells of each session.
alter table sessions
  add column user_agent text not null default '',
  add column seen_at timestamptz;

-- New addresses of accounts, until the link in the mail to them is opened.
create table email_changes (
  -- sha256 of the token in its link
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- lower case
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_changes_user on email_changes (user_id);

-- Private networks that a project's flows and crawls may call, beside those of the installation.
alter table projects add column private_networks text not null default '';
