-- Tests simulate what they would change outside, unless the tester has switched that off for the conversation (server/host/writes.ts).
alter table conversations add column carries_out boolean not null default false;
-- What a test has changed for real is marked as a test's.
alter table mails add column test boolean not null default false;
alter table contacts add column test boolean not null default false;
