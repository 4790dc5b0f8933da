-- Where a chatbot's answers go whose people write through a program of the project's own (server/modules/messageApi).
create table message_api_channels (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null unique,
  url text not null check (char_length(url) <= 2048),
  -- signs what is sent
  sealed_secret text not null,
  -- why the last answer was not taken; null: it was, or there was none
  problem text,
  connected_by bigint references users (id) on delete set null,
  connected_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index message_api_channels_project on message_api_channels (project_id);
create index message_api_channels_by on message_api_channels (connected_by);
