-- What was scheduled while the job was under way: it runs once more after that, rather than beside it.
alter table jobs add column again boolean not null default false;
