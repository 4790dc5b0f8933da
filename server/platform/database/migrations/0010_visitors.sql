-- Who a conversation is with, as far as a browser tells: a hash of the id that it keeps, and the visit (a tab's session).
alter table conversations
  add column visitor_hash bytea,
  add column visit text;
create index conversations_visitor on conversations (chatbot_id, visitor_hash, id) where visitor_hash is not null;

-- Files that visitors sent. The bytes lie in the project's area of the file store under their hash.
create table sent_files (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  conversation_id bigint not null,
  -- the turn that asked for it: counts against that question's limit
  turn integer not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text not null,
  bytes integer not null check (bytes > 0),
  name text not null check (char_length(name) <= 255),
  created_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index sent_files_conversation on sent_files (conversation_id, turn);
