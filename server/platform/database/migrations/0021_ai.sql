-- Providers of models as projects have set them up, with keys of their own.
create table ai_connections (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  provider text not null check (provider in ('openai', 'anthropic', 'google', 'mistral', 'openai-compatible')),
  -- by server/secrets; null: a server of one's own that wants none
  sealed_key text,
  -- its last characters, by which people know it
  key_preview text,
  -- null: the provider's own address
  base_url text check (char_length(base_url) <= 2048),
  -- null: none is used
  embedding_model text check (char_length(embedding_model) <= 200),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id),
  check (provider <> 'openai-compatible' or base_url is not null)
);
create index ai_connections_project on ai_connections (project_id, id);
create unique index ai_connections_provider on ai_connections (project_id, provider) where provider <> 'openai-compatible';

-- The models of OpenAI-compatible servers. Ids of models that Parley knows by itself lie below 1000 (server/ai/providers/catalogue.ts).
create table ai_connection_models (
  id int generated always as identity (start with 1000) primary key,
  project_id bigint not null,
  connection_id bigint not null,
  position int not null,
  name text not null check (char_length(name) between 1 and 200),
  supports_actions boolean not null,
  unique (connection_id, name),
  foreign key (connection_id, project_id) references ai_connections (id, project_id) on delete cascade
);

alter table chatbots
  -- credits that it may use a month; null: what the plan has
  add column monthly_budget numeric(14, 4) check (monthly_budget >= 0),
  -- credits that one visitor may use a day; null: no bound
  add column visitor_budget numeric(14, 4) check (visitor_budget >= 0);

-- Uses of AI message credits are of a chatbot, for a visitor, and may come from what the plan gives once for all.
alter table credit_uses
  add column chatbot_id bigint,
  add column visitor text,
  -- how much of the amount is not of the month
  add column lifetime numeric(14, 4) not null default 0,
  add foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete set null (chatbot_id);
create index credit_uses_chatbot on credit_uses (chatbot_id, used_at) where chatbot_id is not null;
create index credit_uses_visitor on credit_uses (chatbot_id, visitor, used_at) where visitor is not null;

-- What is taken before an answer and settled after it; what a crash leaves is released by a sweep.
create table credit_reservations (
  project_id bigint not null references projects (id) on delete cascade,
  key text not null,
  chatbot_id bigint,
  visitor text,
  month numeric(14, 4) not null,
  lifetime numeric(14, 4) not null,
  reserved_at timestamptz not null,
  primary key (project_id, key),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index credit_reservations_age on credit_reservations (reserved_at);
create index credit_reservations_chatbot on credit_reservations (chatbot_id) where chatbot_id is not null;

-- The sums of what was settled, and of which share of the month's people have been told.
create table credit_months (
  project_id bigint not null references projects (id) on delete cascade,
  -- YYYY-MM, in UTC
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  used numeric(14, 4) not null default 0,
  lifetime numeric(14, 4) not null default 0,
  -- when an answer was refused since nothing was left
  refused_at timestamptz,
  -- the highest threshold that was mailed, in per cent
  told int not null default 0,
  primary key (project_id, month)
);
create index credit_months_month on credit_months (month) where told < 100;

alter table projects
  add column credit_notices boolean not null default true,
  -- of the shares 50, 75, 90 and 100 per cent
  add column credit_notice_thresholds int[] not null default '{50,75,90,100}',
  -- empty: its owners are told
  add column credit_notice_emails text[] not null default '{}';

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check
  check (purpose in ('flow', 'hand-off', 'invitation', 'comment', 'credits'));
