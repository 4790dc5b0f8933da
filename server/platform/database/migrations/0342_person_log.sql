-- The log of who was erased says as well whose data somebody downloaded.
alter table erasures add column kind text not null default 'erased' check (kind in ('erased', 'exported'));
alter table erasures alter column kind drop default;
