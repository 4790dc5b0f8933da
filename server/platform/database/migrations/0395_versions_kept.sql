-- How many of a chatbot's newest published versions are kept at least; null: all.
alter table housekeeping_rules add column versions_kept integer check (versions_kept between 10 and 1000);
drop trigger note_setting on housekeeping_rules;
create trigger note_setting after insert or update of tests_after_days, steps_after_days, mails_after_days, versions_kept on housekeeping_rules
  for each row execute function note_setting('tests_after_days', 'steps_after_days', 'mails_after_days', 'versions_kept');
