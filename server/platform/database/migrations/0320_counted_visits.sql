-- Whether a visit counts in analytics and statistics: a visitor may say no where the site asks (SPEC.md 3, consent).
alter table conversations add column analytics boolean not null default true;
