-- A connection to a stand-in of the sandbox: its tokens are for no vendor, and those of vendors not for it.
alter table connections add column sandbox boolean not null default false;
