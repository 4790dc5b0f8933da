-- A turn updates a conversation and its run, and PostgreSQL parses each check of a table anew with each such statement. Those of a type are
-- parsed once a connection, and looked at only where the column is written.
create domain conversation_status as text;
create domain conversation_environment as text;
create domain conversation_priority as smallint;
create domain conversation_gid as text;
create domain run_state as text;
create domain run_number as integer;

-- the types have no checks yet, so that the tables need not be written anew
alter table conversations
  drop constraint conversations_status_check,
  drop constraint conversations_environment_check,
  drop constraint conversations_priority_check,
  drop constraint conversations_gid_check,
  alter column status type conversation_status,
  alter column environment type conversation_environment,
  alter column priority type conversation_priority,
  alter column gid type conversation_gid;
alter table runs
  drop constraint runs_state_check,
  drop constraint runs_number_check,
  alter column state type run_state,
  alter column number type run_number;

alter domain conversation_status add constraint conversation_status
  check (value in ('bot', 'waiting', 'person', 'closed'));
alter domain conversation_environment add constraint conversation_environment
  check (value in ('production', 'sharing', 'playground', 'editor'));
alter domain conversation_priority add constraint conversation_priority check (value between 0 and 3);
alter domain conversation_gid add constraint conversation_gid check (value ~ '^[a-z0-9]{16}$');
alter domain run_state add constraint run_state check (value in ('running', 'waiting', 'ended'));
alter domain run_number add constraint run_number check (value > 0);
