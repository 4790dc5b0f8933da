-- Conversations of one visitor that are read and answered as one: see server/modules/inbox/merge. Their messages stay where they are.
alter table conversations
  add column merged_into bigint,
  -- who is in another one has no state of its own
  add constraint conversations_merged check (merged_into is null or (status = 'closed' and merged_into <> id)),
  add foreign key (merged_into, project_id) references conversations (id, project_id) on delete set null (merged_into);
create index conversations_merged on conversations (merged_into, project_id) where merged_into is not null;

-- What they were before, by which a merge is undone.
create table conversation_merges (
  conversation_id bigint primary key,
  project_id bigint not null,
  -- whether it was open, and who had it
  was_open boolean not null,
  assignee_id bigint references users (id) on delete set null,
  merged_by bigint references users (id) on delete set null,
  merged_at timestamptz not null,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index conversation_merges_project on conversation_merges (project_id);
create index conversation_merges_assignee on conversation_merges (assignee_id) where assignee_id is not null;
create index conversation_merges_by on conversation_merges (merged_by) where merged_by is not null;
