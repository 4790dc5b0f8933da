-- A project's identity provider, by OpenID Connect.
create table sign_on_connections (
  id bigint generated always as identity primary key,
  gid text not null unique,
  project_id bigint not null unique references projects (id) on delete cascade,
  issuer text not null check (length(issuer) <= 500),
  client_id text not null check (length(client_id) <= 300),
  sealed_secret text not null check (length(sealed_secret) <= 2000),
  default_role integer not null check (default_role between 2 and 6),
  -- the claim with a person's groups; empty: everybody comes with the default role, and keeps the one that they have
  role_claim text not null default '' check (length(role_claim) <= 100),
  -- [{ "value": a group, "role": a number }]
  role_map jsonb not null default '[]' check (length(role_map::text) <= 40000),
  -- members of its domains can open the project only by it
  required boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Domains of email addresses for which a project's provider speaks. Of one project once their TXT record was found.
create table sign_on_domains (
  id bigint generated always as identity primary key,
  gid text not null unique,
  project_id bigint not null references projects (id) on delete cascade,
  domain text not null check (length(domain) <= 253),
  challenge text not null,
  proven_at timestamptz,
  checked_at timestamptz,
  -- since when a proven domain has lacked its record
  missing_since timestamptz,
  created_at timestamptz not null,
  unique (project_id, domain)
);
create unique index sign_on_domains_proven on sign_on_domains (domain) where proven_at is not null;
create index sign_on_domains_by_check on sign_on_domains (checked_at) where proven_at is not null;

-- Whom a project's provider knows.
create table sign_on_people (
  id bigint generated always as identity primary key,
  gid text not null unique,
  project_id bigint not null references projects (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  -- the provider's own id of the person; null: not signed on yet
  subject text check (length(subject) <= 255),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, user_id),
  unique (project_id, subject)
);
create index sign_on_people_user on sign_on_people (user_id);

-- People on their way to a provider and back. Of a browser, by a cookie that opens nothing.
create table sign_on_attempts (
  state_hash bytea primary key,
  project_id bigint not null references projects (id) on delete cascade,
  browser_hash bytea not null,
  -- the code's verifier and the token's nonce
  sealed_secrets text not null,
  return_to text not null check (length(return_to) <= 500),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_on_attempts_project on sign_on_attempts (project_id, created_at);
create index sign_on_attempts_expires on sign_on_attempts (expires_at);

-- By which project's provider the session was opened; null: by none.
alter table sessions add column sign_on_project_id bigint references projects (id) on delete set null;
create index sessions_sign_on on sessions (sign_on_project_id) where sign_on_project_id is not null;
alter table begun_logins add column sign_on_project_id bigint references projects (id) on delete cascade;
create index begun_logins_sign_on on begun_logins (sign_on_project_id) where sign_on_project_id is not null;

-- The domains whose people can open the project only by its provider; with those whom it has brought.
alter table projects add column sign_on_domains text[] not null default '{}';
alter table project_members add column by_sign_on boolean not null default false;
