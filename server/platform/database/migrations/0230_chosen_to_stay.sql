-- What stays within the plan's limits if not all of it does: chosen ones before all others (server/access/overLimit.ts).
alter table chatbots add column chosen_to_stay boolean not null default false;
alter table project_members add column chosen_to_stay boolean not null default false;
alter table custom_domains add column chosen_to_stay boolean not null default false;
