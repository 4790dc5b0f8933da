-- The course of a day: what began in each of its quarters, so that the course of a year and its hours of the week are read from a row a day,
-- whatever is chosen of environments and channels (server/modules/insights/README.md, "Courses").
create table insight_courses (
  project_id bigint not null references projects (id) on delete cascade,
  -- 0: the whole project
  chatbot_id bigint not null,
  -- '' is any
  environment text not null,
  -- '' is any
  channel text not null,
  -- its beginning in UTC
  day timestamptz not null,
  -- of each of its 96 quarters
  conversations integer[] not null,
  messages integer[] not null,
  resolved integer[] not null,
  primary key (project_id, chatbot_id, environment, channel, day)
);

create function add_slots(integer[], integer[]) returns integer[] language sql immutable as $$
  select array(select one + other from unnest($1, $2) as slots (one, other))
$$;

-- What changes in a quarter: less than before is negative.
create type course_change as (
  project_id bigint, chatbot_id bigint, environment text, channel text, quarter timestamptz,
  conversations integer, messages integer, resolved integer
);

create function add_to_courses(changes course_change[]) returns void language plpgsql as $$
begin
  if changes is null then
    return;
  end if;
  -- the lock of counting: two that count the same days in different orders would wait for each other
  perform pg_advisory_xact_lock(7027703);
  insert into insight_courses as sums
  with changed as materialized (
    select project_id, place, filter.environment, filter.channel, date_bin('1 day', quarter, 'epoch') as day,
      extract(epoch from quarter)::bigint / 900 % 96 as slot,
      sum(conversations) as conversations, sum(messages) as messages, sum(resolved) as resolved
    from unnest(changes) as change
      cross join lateral (values (chatbot_id), (0)) as places (place)
      cross join lateral (values ('', ''), (change.environment, ''), ('', change.channel), (change.environment, change.channel))
        as filter (environment, channel)
    group by 1, 2, 3, 4, 5, 6
  )
  select project_id, place, environment, channel, day,
    array_agg(coalesce(conversations, 0) order by slot), array_agg(coalesce(messages, 0) order by slot),
    array_agg(coalesce(resolved, 0) order by slot)
  from (
      select distinct project_id, place, environment, channel, day from changed
      where conversations <> 0 or messages <> 0 or resolved <> 0
    ) as days
    cross join generate_series(0, 95) as slot
    left join changed using (project_id, place, environment, channel, day, slot)
  group by 1, 2, 3, 4, 5
  on conflict (project_id, chatbot_id, environment, channel, day) do update
    set conversations = add_slots(sums.conversations, excluded.conversations),
      messages = add_slots(sums.messages, excluded.messages),
      resolved = add_slots(sums.resolved, excluded.resolved);
end $$;

-- Whatever changes the sums of quarters changes their courses, cascades among it.
create function tell_courses() returns trigger language plpgsql as $$
declare
  added course_change[];
  removed course_change[];
begin
  if tg_op <> 'DELETE' then
    select array_agg(row(project_id, chatbot_id, environment, channel, quarter,
      conversations, messages, resolved_bot + resolved_person)::course_change)
    into added from new_rows;
  end if;
  if tg_op <> 'INSERT' then
    select array_agg(row(project_id, chatbot_id, environment, channel, quarter,
      -conversations, -messages, -resolved_bot - resolved_person)::course_change)
    into removed from old_rows;
  end if;
  perform add_to_courses(added || removed);
  if tg_op = 'DELETE' then
    -- what a chatbot leaves that was deleted
    delete from insight_courses as sums using (select distinct project_id, date_bin('1 day', quarter, 'epoch') as day from old_rows) as gone
    where sums.project_id = gone.project_id and sums.day = gone.day and 0 = all (sums.conversations);
  end if;
  return null;
end $$;

-- those of before, by the same function: some days of a project at a time, since they are held as one array
do $$
declare
  part record;
begin
  for part in select distinct project_id, date_bin('30 days', quarter, 'epoch') as starts from insight_rows loop
    perform add_to_courses((
      select array_agg(row(project_id, chatbot_id, environment, channel, quarter,
        conversations, messages, resolved_bot + resolved_person)::course_change)
      from insight_rows as rows
      where rows.project_id = part.project_id and quarter >= part.starts and quarter < part.starts + interval '720 hours'
    ));
  end loop;
end $$;

create trigger courses_added after insert on insight_rows referencing new table as new_rows
  for each statement execute function tell_courses();
create trigger courses_changed after update on insight_rows referencing old table as old_rows new table as new_rows
  for each statement execute function tell_courses();
create trigger courses_removed after delete on insight_rows referencing old table as old_rows
  for each statement execute function tell_courses();

-- the sums of a quarter were read for the course alone
drop table insight_totals;
