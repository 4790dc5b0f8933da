-- The token by which an organisation's directory tells a project of its people (SCIM 2.0).
create table scim_tokens (
  project_id bigint primary key references projects (id) on delete cascade,
  -- sha256
  token_hash bytea not null unique,
  preview text not null,
  created_at timestamptz not null,
  -- to the minute
  last_used_at timestamptz
);

-- What the directory says of a person. One that is not active is no member, and can't sign on.
alter table sign_on_people add column user_name text check (length(user_name) <= 320);
alter table sign_on_people add column external_id text check (length(external_id) <= 300);
alter table sign_on_people add column given_name text not null default '' check (length(given_name) <= 75);
alter table sign_on_people add column family_name text not null default '' check (length(family_name) <= 75);
alter table sign_on_people add column active boolean not null default true;
-- when the directory told of them first; null: they came by the provider alone
alter table sign_on_people add column provisioned_at timestamptz;
create unique index sign_on_people_user_name on sign_on_people (project_id, lower(user_name)) where user_name is not null;
