-- What visitors were asked to consent to and said, in the conversation in which they said it.
create table consents (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  conversation_id bigint not null,
  -- false: taken back
  given boolean not null,
  -- the question as it was shown; empty: the site that the chat stands on has asked, in words of its own
  question text not null,
  said_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index consents_conversation on consents (conversation_id, id);
create index consents_project on consents (project_id);
