-- One row for the whole installation: who may make its first account. Locked while that happens, so that there is one.
create table installation (
  id int primary key default 1 check (id = 1),
  setup_token_hash bytea
);
insert into installation default values;

create table users (
  id bigint generated always as identity primary key,
  gid text not null unique,
  email text not null unique check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  email_verified boolean not null default false,
  created_at timestamptz not null
);

-- The token itself is in the browser's cookie alone.
create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table projects (
  id bigint generated always as identity primary key,
  gid text not null unique,
  name text not null,
  plan_id text not null default 'self-hosted',
  -- the agent onboarding checklist: what is done, by item, and `dismissed`
  checklist jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table project_members (
  project_id bigint not null references projects on delete cascade,
  user_id bigint not null references users on delete cascade,
  roles int[] not null check (cardinality(roles) > 0),
  is_default boolean not null default false,
  created_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);
create unique index project_members_one_default on project_members (user_id) where is_default;

create table chatbots (
  id bigint generated always as identity primary key,
  gid text not null unique,
  egid text not null unique,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  type int not null default 2,
  version int not null default 2,
  platform_id int not null default 1,
  slug text not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what other tables point at, so that a row can't belong to another project than its chatbot
  unique (project_id, id)
);
create index chatbots_project on chatbots (project_id, id);

create table user_settings (
  user_id bigint primary key references users on delete cascade,
  onboarding_survey_completed boolean not null default false,
  onboarding_displayed boolean not null default false,
  hide_onboarding_checklist boolean not null default false,
  hide_v2_upgrade_announcement boolean not null default false,
  hide_builder_tutorial_video_popup boolean not null default false,
  hide_contact_variables_deprecation_popup boolean not null default false,
  show_feature_vote_1 boolean not null default false,
  default_chatbot_id bigint references chatbots on delete set null
);
