-- the language in which somebody uses the interface and gets mails; null: not known yet
alter table users add column language text check (language in ('en', 'de'));
