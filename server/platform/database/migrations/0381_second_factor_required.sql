-- Whether members can open the project only with a second factor.
alter table projects add column second_factor_required boolean not null default false;
