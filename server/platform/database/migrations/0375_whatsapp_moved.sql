-- since when a person has another number, as WhatsApp said: what was sent before must not bring the old one back
alter table whatsapp_people add column moved_at timestamptz;
