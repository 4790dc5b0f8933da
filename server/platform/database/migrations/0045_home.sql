-- Who changed a draft last, and whether it was changed at all since its publication: what the server does to a document by itself (bringing
-- it to present kinds, putting it in order) is no edit. Null: not a person, or not known.
alter table flow_updates
  add column edited boolean not null default true,
  add column edited_by bigint references users (id) on delete set null;
alter table flow_snapshots
  add column edited_at timestamptz,
  add column edited_by bigint references users (id) on delete set null;
update flow_snapshots set edited_at = updated_at;

create index flow_updates_edited_by on flow_updates (edited_by) where edited_by is not null;
create index flow_snapshots_edited_by on flow_snapshots (edited_by) where edited_by is not null;

-- What is left to fill in of the template that a chatbot was made of: [{ "text", "done" }].
alter table chatbots add column setup_steps jsonb not null default '[]';

-- The conversations of visitors in the last days, chatbot by chatbot.
create index conversations_visitors on conversations (project_id, chatbot_id, created_at)
  where environment in ('production', 'sharing');
