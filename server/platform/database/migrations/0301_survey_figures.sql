-- What visitors say in the survey beside the rating: whether their question was answered, and words of their own.
alter table conversation_facts
  add said_resolved integer not null default 0,
  add said_unresolved integer not null default 0,
  add commented integer not null default 0;
alter table insight_rows
  add said_resolved integer not null default 0,
  add said_unresolved integer not null default 0,
  add commented integer not null default 0;
alter table insight_totals
  add said_resolved integer not null default 0,
  add said_unresolved integer not null default 0,
  add commented integer not null default 0;
alter table insight_days
  add said_resolved integer not null default 0,
  add said_unresolved integer not null default 0,
  add commented integer not null default 0;
-- those that said so already are counted once more
insert into insight_pending (conversation_id, project_id)
select distinct conversation_id, project_id from survey_answers where resolved is not null or feedback <> ''
on conflict do nothing;
