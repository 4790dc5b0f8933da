-- Every turn writes an event. To check that its project exists locked the project's row each time, which all turns of a
-- project share. Events go with their project all the same: its deletion deletes them after it (chatbots/deletion.ts).
alter table events drop constraint events_project_id_fkey;
