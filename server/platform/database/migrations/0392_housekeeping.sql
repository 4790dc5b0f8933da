-- After how many days a project's own traces are deleted; null: never.
create table housekeeping_rules (
  project_id bigint primary key references projects (id) on delete cascade,
  -- conversations that members had with drafts
  tests_after_days integer check (tests_after_days between 1 and 3650),
  -- the steps of closed conversations of visitors, for debugging
  steps_after_days integer check (steps_after_days between 1 and 3650),
  -- mails in the outbox that were sent or given up
  mails_after_days integer check (mails_after_days between 30 and 3650),
  -- the day of the last run, in UTC
  ran_on date,
  updated_at timestamptz not null
);
create trigger note_setting after insert or update of tests_after_days, steps_after_days, mails_after_days on housekeeping_rules
  for each row execute function note_setting('tests_after_days', 'steps_after_days', 'mails_after_days');

-- The bytes of so many rows of a table, by its average row, with indexes and long values; of a partitioned table, over its partitions.
create function bytes_of_rows(named text, rows bigint) returns numeric language sql stable as $$
  select coalesce(rows * sum(pg_total_relation_size(oid)) / greatest(sum(greatest(reltuples, 0))::bigint, rows, 1), 0)
  from pg_class
  where oid = to_regclass(named) or oid in (select relid from pg_partition_tree(to_regclass(named)) where isleaf)
$$;
