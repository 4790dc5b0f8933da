-- Messages in members' own languages, so that a model is asked once. See server/modules/inbox.
create table message_translations (
  conversation_id bigint not null,
  project_id bigint not null,
  seq integer not null,
  language text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (conversation_id, seq, language),
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index message_translations_project on message_translations (project_id);
