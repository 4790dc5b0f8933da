-- Projects that pay by Stripe (server/modules/subscriptions/README.md).
create table subscriptions (
  project_id bigint primary key references projects (id) on delete cascade,
  -- the project's id at Stripe
  customer_id text not null unique check (length(customer_id) <= 255),
  -- what Stripe says of it, as we read it last; null: there has been none
  state jsonb check (jsonb_typeof(state) = 'object'),
  -- grows with each reading, so that of two only the later one is kept
  version integer not null default 0,
  read_at timestamptz,
  -- until when the plan stays although a payment failed; null: none has
  grace_until timestamptz
);
create index subscriptions_grace on subscriptions (grace_until) where grace_until is not null;

-- What Stripe told, each once: it tells some twice, and in any order.
create table stripe_events (
  id text primary key check (length(id) <= 255),
  project_id bigint not null references projects (id) on delete cascade,
  type text not null check (length(type) <= 200),
  received_at timestamptz not null,
  -- null: the subscription was not read since
  handled_at timestamptz
);
create index stripe_events_project on stripe_events (project_id);
create index stripe_events_received on stripe_events (received_at);

alter table mails drop constraint mails_purpose_check;
alter table mails add constraint mails_purpose_check
  check (purpose in ('flow', 'hand-off', 'invitation', 'comment', 'credits', 'notification', 'answer', 'report',
    'connection', 'billing'));
