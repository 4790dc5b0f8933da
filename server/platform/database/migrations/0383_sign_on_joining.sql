-- What becomes of people who make an account with an address at one of its proven domains: nothing, they are asked to come in by the provider,
-- or have to.
alter table sign_on_connections add column joining text not null default 'off' check (joining in ('off', 'ask', 'must'));
