-- when a kind was added to what is blacked out: conversations that were blacked out before are so once more
alter table retention_rules add column widened_at timestamptz;
