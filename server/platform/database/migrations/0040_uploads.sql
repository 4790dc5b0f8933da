-- What was uploaded lately, and what is being uploaded now: what quotas are counted by, in all processes. Written before the first byte
-- comes, so that uploads at once can't pass the check together.
create table uploads (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects (id) on delete cascade,
  -- of visitors' uploads
  chatbot_id bigint references chatbots (id) on delete cascade,
  -- an IPv4 address, or an IPv6 network of 64 bits; null for members of the project
  address text,
  -- what it may have, then what it had
  bytes bigint not null check (bytes >= 0),
  -- while its bytes come in, they stand in no other table
  under_way boolean not null default true,
  created_at timestamptz not null
);
create index uploads_address on uploads (address, created_at) where address is not null;
create index uploads_chatbot on uploads (chatbot_id, created_at);
create index uploads_project on uploads (project_id, created_at);
create index uploads_created on uploads (created_at);
