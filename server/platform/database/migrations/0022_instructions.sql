-- What a chatbot's instructions have been.
create table instruction_versions (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  text text not null check (char_length(text) <= 20000),
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index instruction_versions_chatbot on instruction_versions (chatbot_id, id);
create index instruction_versions_author on instruction_versions (created_by) where created_by is not null;

-- Questions whose right answer is known.
create table golden_questions (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  question text not null,
  words text[] not null default '{}',
  -- The source that has to be cited, with its title of then. No reference: when it goes, the question still wants it, and says so.
  source_gid text,
  source_title text,
  expects_unknown boolean not null default false,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  unique (id, project_id),
  check ((source_gid is null) = (source_title is null)),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index golden_questions_chatbot on golden_questions (chatbot_id, id);
create index golden_questions_author on golden_questions (created_by) where created_by is not null;

create table golden_runs (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  -- the name of what answered; empty until the first answer is there
  model text not null,
  total int not null,
  -- both of the end: questions may go, the score stays
  passed int not null default 0,
  started_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  -- null: a job is at it (kind golden-run, its key the gid)
  finished_at timestamptz,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index golden_runs_chatbot on golden_runs (chatbot_id, id);
create index golden_runs_starter on golden_runs (started_by) where started_by is not null;

create table golden_results (
  run_id bigint not null,
  question_id bigint not null,
  project_id bigint not null,
  passed boolean not null,
  problem text,
  answer text not null,
  rank int,
  primary key (run_id, question_id),
  foreign key (run_id, project_id) references golden_runs (id, project_id) on delete cascade,
  foreign key (question_id, project_id) references golden_questions (id, project_id) on delete cascade
);
create index golden_results_question on golden_results (question_id, run_id);
