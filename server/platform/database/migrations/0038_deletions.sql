-- A chatbot that is being deleted: out of reach at once, its rows go batch by batch (server/api/chatbots/deletion.ts).
alter table chatbots
  add column deleting_since timestamptz,
  -- how many rows it had when that began, and how many of them are gone
  add column rows_to_delete bigint not null default 0,
  add column rows_deleted bigint not null default 0;

-- Jobs that were given up, for the person who looks after a project.
create index jobs_failed on jobs (project_id, failed_at) where failed_at is not null;
