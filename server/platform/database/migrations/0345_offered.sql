-- What the visitor could choose from after a turn: shown in the inbox between the messages.
alter table turn_records add column offered jsonb;
