-- Lists that bring their pages' texts along: articles of Salesforce Knowledge, files of a Git repository.
alter table knowledge_feeds drop constraint knowledge_feeds_kind_check;
alter table knowledge_feeds
  add constraint knowledge_feeds_kind_check check (kind in ('feed', 'help_center', 'salesforce', 'git')),
  -- what is read of it, by its kind: a connection, a language, a folder
  add options jsonb not null default '{}',
  -- of the state that was read whole, such as a commit; null: none yet
  add mark text check (char_length(mark) <= 200),
  -- how many pages the reading under way has found so far; null: none is under way, or it does not say
  add found int;
-- the text that the list brought, as Markdown; null: it is read at its address
alter table knowledge_sources add brought text;
