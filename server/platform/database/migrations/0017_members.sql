-- Who was asked into a project. The token itself is in the invitation's link alone.
create table invitations (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  email text not null check (email = lower(email)),
  roles int[] not null check (cardinality(roles) > 0),
  token_hash bytea not null unique,
  -- null: that account is gone
  invited_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
create unique index invitations_one_open on invitations (project_id, email) where accepted_at is null and revoked_at is null;
create index invitations_project on invitations (project_id);
create index invitations_invited_by on invitations (invited_by) where invited_by is not null;

-- Who may set a new password without the old one; used once.
create table password_resets (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check check (purpose in ('flow', 'hand-off', 'invitation'));
