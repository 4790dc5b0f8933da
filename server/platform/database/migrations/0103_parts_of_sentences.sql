-- Languages that are written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are searched by pairs of their characters: each
-- character with the one behind it, after the words as they are. server/modules/inbox/search.ts makes the same pairs of what is searched.
create function searched_words(words text) returns text language plpgsql immutable parallel safe as $$
begin
  if words is null then return ''; end if;
  if words !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]' then
    return words;
  end if;
  return words || ' ' || (select string_agg(substr(run[1], n, 2), ' ') from regexp_matches(words,
    '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+', 'g')
    as found (run), generate_series(1, length(run[1])) n);
end $$;

drop index messages_words;
create index messages_words on messages
  using gin (to_tsvector('simple', 'parley' || project_id::text || 'project ' || searched_words(words)))
  with (gin_pending_list_limit = 512);

-- Replies by mail are found by the mails that they answer.
create index mail_threads_messages on mail_threads using gin (message_ids);
