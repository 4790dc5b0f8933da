-- Full text search over messages. The words of a message stand beside it, since its content is JSON that may hold what PostgreSQL's texts
-- can't. The project is a word of the index, so that a search reads no other project's rows.
alter table messages add column words text;
update messages set words = left(
    (select string_agg(found #>> '{}', ' ') from jsonb_path_query(content::jsonb, 'strict $.**.text') as found
      where jsonb_typeof(found) = 'string'), 20000)
  where content::text not like '%\\u0000%';
create index messages_words on messages
  using gin (to_tsvector('simple', 'parley' || project_id::text || 'project ' || coalesce(words, '')))
  with (gin_pending_list_limit = 512);
create index messages_newest on messages (project_id, created_at desc);
