-- From where members and API keys may open a project: addresses and networks with commas; empty: from everywhere.
alter table projects add column allowed_addresses text not null default '' check (length(allowed_addresses) <= 2000);

-- The audit log tells what it was before.
drop trigger note_setting on projects;
create trigger note_setting after update of name, second_factor_required, allowed_addresses, overage_credits, credit_price, credit_currency,
    private_networks, credit_notices, credit_notice_thresholds, credit_notice_emails, new_contact_notices, new_contact_emails,
    new_conversation_notices, new_conversation_emails, waiting_notice_minutes on projects
  for each row execute function note_setting('name', 'second_factor_required', 'allowed_addresses', 'overage_credits', 'credit_price',
    'credit_currency', 'private_networks', 'credit_notices', 'credit_notice_thresholds', 'credit_notice_emails', 'new_contact_notices',
    'new_contact_emails', 'new_conversation_notices', 'new_conversation_emails', 'waiting_notice_minutes');
