-- What a tester's turn heard from outside (its reply, what the host answered), so that the conversation can be kept as a test.
alter table turn_records add column heard json;

-- Conversations kept as tests of a chatbot. json, not jsonb: a tester may have written U+0000.
create table recordings (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  chatbot_id bigint not null,
  name text not null,
  recording json not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete cascade
);
create index recordings_chatbot on recordings (project_id, chatbot_id, id);
create index recordings_creator on recordings (created_by) where created_by is not null;
