-- People that a project knows. Nothing here is unique: a flow may be told to make a new contact of a known address.
create table contacts (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null references projects (id) on delete cascade,
  -- where the contact was made
  chatbot_id bigint,
  user_id text,
  name text,
  email text,
  phone text,
  company text,
  job_title text,
  website text,
  industry text,
  address text,
  city text,
  state text,
  country text,
  zip text,
  -- fields of the project's own, by name
  custom jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (project_id, chatbot_id) references chatbots (project_id, id) on delete set null (chatbot_id)
);
create index contacts_project on contacts (project_id, id);
create index contacts_chatbot on contacts (chatbot_id) where chatbot_id is not null;
create index contacts_user on contacts (project_id, user_id) where user_id is not null;
create index contacts_email on contacts (project_id, lower(email)) where email is not null;
create index contacts_phone on contacts (project_id, phone) where phone is not null;

-- What a call answered, so that the same key changes nothing a second time.
create table contact_calls (
  project_id bigint not null references projects (id) on delete cascade,
  key text not null,
  result json not null,
  created_at timestamptz not null,
  primary key (project_id, key)
);
