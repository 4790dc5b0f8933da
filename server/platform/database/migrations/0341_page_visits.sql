-- The pages on which visitors came back to their conversation, each once, without their queries.
create table page_visits (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  conversation_id bigint not null,
  page text not null,
  -- the last time
  visited_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index page_visits_conversation on page_visits (conversation_id, visited_at);
create index page_visits_project on page_visits (project_id);
