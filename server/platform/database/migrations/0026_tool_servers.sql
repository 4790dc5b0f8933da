-- Servers of tools (Model Context Protocol) that the model of a chatbot may use beside its actions.
create table tool_servers (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  name text not null check (char_length(name) between 1 and 64),
  url text not null check (char_length(url) <= 2048),
  -- sealed by server/secrets; null: it wants none
  sealed_token text,
  token_preview text,
  enabled boolean not null,
  -- what it offered when it was asked last, as [{ name, title, description, schema }]
  tools json not null,
  -- of those, the names that are not to be used
  off text[] not null default '{}',
  -- why it could not be asked, in a sentence for the editor
  problem text,
  listed_at timestamptz not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  unique (chatbot_id, url),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index tool_servers_creator on tool_servers (created_by) where created_by is not null;
