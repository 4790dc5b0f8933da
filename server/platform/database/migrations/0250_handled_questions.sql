-- Questions without an answer that an editor has dealt with: they are listed again once they are asked again.
create table handled_questions (
  project_id bigint not null,
  chatbot_id bigint not null,
  wording_hash bigint not null,
  handled_at timestamptz not null,
  primary key (chatbot_id, wording_hash),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index handled_questions_project on handled_questions (project_id);
