-- What a person filled in before going to the vendor, such as the account's own address there; sealed. Null: nothing.
alter table oauth_states add column sealed_filled text;
