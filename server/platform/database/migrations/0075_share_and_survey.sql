-- Who may open a shared page: its password, and what passes are signed with. A new password makes a new version, which no pass of before is of.
alter table web_chats
  add column share_password_hash text,
  add column share_version integer not null default 0,
  add column share_key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));

-- What it took to open the conversation: the version of the password, and the member who was logged in.
alter table conversations
  add column share_version integer,
  add column member_id bigint references users (id) on delete set null;
create index conversations_member on conversations (member_id) where member_id is not null;

-- What visitors say of a conversation at its end: see server/modules/conversations/survey.
create table survey_answers (
  conversation_id bigint primary key,
  project_id bigint not null,
  chatbot_id bigint not null,
  -- from 1, very bad, to 5, very good
  rating smallint not null check (rating between 1 and 5),
  -- what decided it; none: it was not asked, or nothing was chosen
  follow_up text[] not null,
  -- whether the question was answered; null: it was not asked, or left out
  resolved boolean,
  feedback text not null,
  answered_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index survey_answers_project on survey_answers (project_id);
create index survey_answers_chatbot on survey_answers (chatbot_id, answered_at desc);
