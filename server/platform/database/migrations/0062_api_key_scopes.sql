-- What a key may be used for. Those that there are keep all that they could do.
alter table api_keys add column scopes text[] not null default '{write}' check (scopes <@ '{read,write}' and cardinality(scopes) > 0);
alter table api_keys alter column scopes drop default;
