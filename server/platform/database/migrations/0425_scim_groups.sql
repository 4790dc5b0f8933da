-- What an organisation's directory says of its groups (SCIM 2.0), and who is in them.
create table scim_groups (
  id bigint generated always as identity primary key,
  gid text not null unique,
  project_id bigint not null references projects (id) on delete cascade,
  display_name text not null check (length(display_name) <= 200),
  external_id text check (length(external_id) <= 200),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, id)
);
create unique index scim_groups_name on scim_groups (project_id, lower(display_name));

alter table sign_on_people add unique (project_id, id);
create table scim_group_members (
  project_id bigint not null,
  group_id bigint not null,
  person_id bigint not null,
  primary key (group_id, person_id),
  foreign key (project_id, group_id) references scim_groups (project_id, id) on delete cascade,
  foreign key (project_id, person_id) references sign_on_people (project_id, id) on delete cascade
);
create index scim_group_members_group on scim_group_members (project_id, group_id);
create index scim_group_members_person on scim_group_members (project_id, person_id);
