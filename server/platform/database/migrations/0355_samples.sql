-- Samples show what a project looks like with life in it. They count in no meter, and go by one press.
alter table chatbots add column sample boolean not null default false;
alter table contacts add column sample boolean not null default false;
