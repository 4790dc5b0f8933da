-- What signs the ids of visitors whom a site knows: one a chatbot, sealed (server/platform/secrets).
create table identity_secrets (
  id bigint generated always as identity primary key,
  gid text not null unique,
  project_id bigint not null,
  chatbot_id bigint not null unique,
  sealed_secret text not null,
  created_at timestamptz not null,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index identity_secrets_project on identity_secrets (project_id);
