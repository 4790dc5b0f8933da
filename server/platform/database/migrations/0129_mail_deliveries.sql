-- What a delivery service told of a mail: by recipient and kind of event, {"at", "reason"}. See server/platform/mail.
alter table mails add column deliveries jsonb not null default '{}';
create index mails_message_id on mails (message_id);
