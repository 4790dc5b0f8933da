-- When a reply named it; null: it was only uploaded, and is forgotten after a day.
alter table sent_files add column sent_at timestamptz;
update sent_files set sent_at = created_at;
create index sent_files_unsent on sent_files (created_at) where sent_at is null;
-- Whether anything names bytes of the store.
create index sent_files_bytes on sent_files (project_id, sha256);
