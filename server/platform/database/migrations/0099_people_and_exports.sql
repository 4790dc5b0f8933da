-- Emails, phones and user ids of merged contacts, as `email:…`, `phone:…`, `user_id:…`: the person is found by them.
alter table contacts add column aliases text[] not null default '{}';
create index contacts_aliases on contacts using gin (aliases) where aliases <> '{}';

-- Merges of doubles, each with what it takes to undo it; kept 30 days, and no longer than the contact.
create table contact_merges (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  contact_id bigint not null,
  record jsonb not null,
  merged_by bigint references users (id) on delete set null,
  merged_at timestamptz not null,
  undone_at timestamptz,
  expires_at timestamptz not null,
  foreign key (contact_id, project_id) references contacts (id, project_id) on delete cascade
);
create index contact_merges_project on contact_merges (project_id, id desc);
create index contact_merges_contact on contact_merges (contact_id, project_id);
create index contact_merges_by on contact_merges (merged_by) where merged_by is not null;
create index contact_merges_expires on contact_merges (expires_at);

-- What an action of an agent took is a lead as well.
alter table leads drop constraint leads_source_check;
alter table leads add constraint leads_source_check check (source in ('form', 'email', 'phone', 'agent'));

-- What chatbots know can be exported as well.
alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check
  check (kind in ('conversations', 'contacts', 'leads', 'results', 'analytics', 'knowledge', 'project'));
