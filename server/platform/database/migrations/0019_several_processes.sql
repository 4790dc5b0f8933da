-- Several processes share one database, and perhaps one Redis with other installations: messages carry a name that is this one's alone.
alter table installation add column bus_name text not null default gen_random_uuid()::text;

-- Counts how often a document was folded together: a process that has it open learns that rows which it had not read are in there now.
alter table flow_snapshots add column generation bigint not null default 0;
