-- Of a number: how many people WhatsApp lets it write to first in a day, and when WhatsApp last sent something here
-- (server/modules/whatsapp/connect.ts, readStored.ts).
alter table whatsapp_connections
  add column tier text not null default '',
  add column heard_at timestamptz;
