-- Runs of evaluations that a training began, and the chatbots that want them.
alter table chatbots add column evaluates_training boolean not null default false;
alter table evaluation_runs add column after_training boolean not null default false;
