-- Answers of the bot that a member corrected: the source that says it right. See server/modules/inbox.
create table corrected_messages (
  conversation_id bigint not null,
  project_id bigint not null,
  seq integer not null,
  source_id bigint,
  corrected_by bigint references users (id) on delete set null,
  corrected_at timestamptz not null,
  primary key (conversation_id, seq),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade,
  foreign key (source_id, project_id) references knowledge_sources (id, project_id) on delete set null (source_id)
);
create index corrected_messages_project on corrected_messages (project_id);
create index corrected_messages_source on corrected_messages (source_id) where source_id is not null;
create index corrected_messages_by on corrected_messages (corrected_by) where corrected_by is not null;
