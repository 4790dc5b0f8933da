-- what a source says to assistants, as it was trained; what of it a member allows to be said all the same
alter table knowledge_sources
  add column planted text[] not null default '{}',
  add column planted_allowed text[] not null default '{}';
