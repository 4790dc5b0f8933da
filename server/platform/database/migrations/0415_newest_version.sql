-- The newest version that the feed of UPDATE_CHECK named, and when it was asked; null: it was not.
alter table installation
  add column newest_version text,
  add column newest_asked_at timestamptz;
