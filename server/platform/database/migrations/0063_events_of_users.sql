-- Most events are of visitors and bots: what has no account is not looked for by one, and each turn writes an event.
drop index events_of_user;
create index events_of_user on events (user_id) where user_id is not null;
