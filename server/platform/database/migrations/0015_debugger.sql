-- For people who debug a draft: before which blocks turns end, and what each turn left, so that one can go back to it.
alter table conversations add column pauses json;
alter table turn_records
  add column session json,
  add column last_seq integer,
  add column took integer;
