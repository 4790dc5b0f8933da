-- What people say about a version.
alter table flow_versions add column name text check (char_length(name) <= 100);
alter table flow_versions add column notes text not null default '' check (char_length(notes) <= 2000);
-- What the flows were called, by their gids: one that was deleted since is brought back under its name.
alter table flow_versions add column titles json not null default '{}';
-- When visitors first got it; null for a draft that was kept before another took its place, and for the playground's.
alter table flow_versions add column first_published_at timestamptz;
update flow_versions set first_published_at = created_at where number is not null;

-- Since when, and by whom, the published version is what visitors get: an older one may be published again.
alter table flows add column published_at timestamptz;
alter table flows add column published_by bigint references users (id) on delete set null;
update flows set published_at = version.created_at, published_by = version.created_by
  from flow_versions version where version.id = flows.published_version_id
    and (version.created_by is null or exists (select from users where users.id = version.created_by));
update flows set published_at = version.created_at
  from flow_versions version where version.id = flows.published_version_id and flows.published_at is null;
create index flows_published_by on flows (published_by) where published_by is not null;
