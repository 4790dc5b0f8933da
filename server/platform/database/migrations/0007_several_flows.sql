-- A version is the whole chatbot: the other flows, by the ids that blocks enter them by, are frozen with the main one.
alter table flow_versions add column flows json not null default '{}';
-- What began a conversation: its first turn reads it again when a crash cut it.
alter table conversations add column start_event json not null default '{"type":"start"}';
