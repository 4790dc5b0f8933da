-- Where and how visitors meet a chatbot on the web: see server/modules/web. A chatbot without a row has the defaults of the schemas.
create table web_chats (
  chatbot_id bigint primary key,
  project_id bigint not null,
  -- the look that editors work on, and the one that visitors see; null: the default look
  look_draft jsonb,
  -- one more with each save, so that nobody overwrites what somebody else has just saved
  look_revision integer not null default 0,
  look_published jsonb,
  look_published_at timestamptz,
  look_published_by bigint references users (id) on delete set null,
  -- settings that apply at once, one column for each screen that saves them
  embed jsonb not null default '{}',
  visibility jsonb not null default '{}',
  share jsonb not null default '{}',
  language jsonb not null default '{}',
  survey jsonb not null default '{}',
  updated_at timestamptz not null,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index web_chats_project on web_chats (project_id);
create index web_chats_publisher on web_chats (look_published_by);
