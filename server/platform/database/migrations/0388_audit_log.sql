-- Where a call came from, for what members do: the audit log shows it.
alter table events add column address text check (length(address) <= 45);

-- What a transaction changed in settings, until the audit log takes it with the transaction's event.
create table audit_changes (
  id bigint generated always as identity primary key,
  tx xid8 not null default pg_current_xact_id(),
  project_id bigint not null,
  subject text not null,
  row_gid text,
  before jsonb not null,
  after jsonb not null,
  at timestamptz not null default now()
);
create index audit_changes_of_transaction on audit_changes (tx);
create index audit_changes_by_age on audit_changes (at);

-- A value as the log keeps it: a long one by its beginning.
create function audit_value(value jsonb) returns jsonb language sql immutable as $$
  select case when length(value::text) > 4000 then to_jsonb(left(value #>> '{}', 2000) || '…') else coalesce(value, 'null') end
$$;

-- Notes which of the named columns a statement changed. Named ones alone: no secret, no hash, nothing that the program counts.
create function note_setting() returns trigger language plpgsql as $$
declare
  was jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
  is_now jsonb := to_jsonb(new);
  name text;
  before jsonb := '{}';
  after jsonb := '{}';
begin
  foreach name in array tg_argv loop
    if was -> name is distinct from is_now -> name then
      before := before || jsonb_build_object(name, audit_value(was -> name));
      after := after || jsonb_build_object(name, audit_value(is_now -> name));
    end if;
  end loop;
  if after <> '{}' then
    insert into audit_changes (project_id, subject, row_gid, before, after) values (
      coalesce(is_now ->> 'project_id', is_now ->> 'id')::bigint, tg_table_name, is_now ->> 'gid', before, after);
  end if;
  return null;
end $$;

do $$
declare
  noted record;
begin
  for noted in select * from (values
    ('projects', 'update', 'name second_factor_required overage_credits credit_price credit_currency private_networks credit_notices credit_notice_thresholds credit_notice_emails new_contact_notices new_contact_emails new_conversation_notices new_conversation_emails waiting_notice_minutes'),
    ('chatbots', 'update', 'name slug business_name business_description instructions ai_model_id ai_fallback_model_id ai_language ai_temperature ai_suggestions hide_urls linked_kb_id evaluates_training monthly_budget visitor_budget'),
    ('project_members', 'update', 'roles'),
    ('web_chats', 'update', 'embed visibility share language survey continuation'),
    ('webhook_endpoints', 'update', 'url description events personal enabled'),
    ('retention_rules', 'insert or update', 'delete_after_days redact_after_days redact'),
    ('agent_actions', 'update', 'name description frequency parameters save_to config enabled'),
    ('tool_servers', 'update', 'name url enabled off'),
    ('teams', 'update', 'name assignment office'),
    ('inbox_settings', 'insert or update', 'office'),
    ('labels', 'update', 'name color'),
    ('saved_replies', 'update', 'shortcut body'),
    ('contact_fields', 'update', 'name type choices in_table'),
    ('mail_inboxes', 'insert or update', 'enabled kind address host port username folder'),
    ('message_api_channels', 'insert or update', 'url'),
    ('api_keys', 'update', 'name scopes expires_at calls_a_minute')
  ) as listed (subject, moments, columns) loop
    execute format('create trigger note_setting after %s on %I for each row execute function note_setting(%s)',
      replace(noted.moments, 'update', 'update of ' || replace(noted.columns, ' ', ', ')), noted.subject,
      (select string_agg(quote_literal(name), ', ') from unnest(string_to_array(noted.columns, ' ')) as name));
  end loop;
end $$;

-- What members did, in order. Entries are added, never changed, and go with their project alone; each holds the hash of the one before.
create table audit_entries (
  project_id bigint not null references projects (id) on delete cascade,
  seq bigint not null,
  event_id bigint not null,
  at timestamptz not null,
  type text not null,
  -- the account's gid; who it is, the account itself tells as long as there is one
  person text,
  address text,
  correlation text not null,
  payload jsonb not null,
  -- as it was called then
  chatbot text,
  changes jsonb not null,
  hash bytea not null,
  primary key (project_id, seq)
);
create unique index audit_entries_once on audit_entries (project_id, event_id, at);
create index audit_entries_of_person on audit_entries (project_id, person, seq desc);

-- What the hash of an entry is made of.
create function audit_text(previous bytea, entry audit_entries) returns text language sql stable as $$
  select jsonb_build_array(encode(coalesce(previous, ''), 'hex'), entry.seq, (extract(epoch from entry.at) * 1000)::bigint, entry.type,
    entry.person, entry.address, entry.correlation, entry.payload, entry.chatbot, entry.changes)::text
$$;
create function audit_hash(previous bytea, entry audit_entries) returns bytea language sql stable as $$
  select sha256(convert_to(audit_text(previous, entry), 'UTF8'))
$$;

create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  last record;
begin
  select seq, hash into last from audit_entries where project_id = new.project_id order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.hash := audit_hash(last.hash, new);
  return new;
end $$;
create trigger chain_audit_entry before insert on audit_entries for each row execute function chain_audit_entry();

create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  -- a project takes its log along: then the deletion comes from the foreign key's own trigger
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception 'entries of the audit log are not changed';
end $$;
create trigger keep_audit_entry before update or delete on audit_entries for each row execute function keep_audit_entry();
