-- From which network address a session was used last; empty: from before this was stored.
alter table sessions add column address text not null default '' check (length(address) <= 64);
