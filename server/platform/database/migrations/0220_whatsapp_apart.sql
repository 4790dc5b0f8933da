-- A message that fails again and again is tried by itself, so that it does not hold up what the person wrote after it
-- (server/modules/whatsapp/take.ts).
alter table whatsapp_inbound
  add column failures smallint not null default 0,
  add column apart boolean not null default false;
drop index whatsapp_inbound_due;
create index whatsapp_inbound_due on whatsapp_inbound (person_id, sent_at, id) where taken_at is null and not apart;
