-- Messages that were typed in a row are one turn: the first of them, in those after it.
alter table whatsapp_inbound add column joined_to bigint;
