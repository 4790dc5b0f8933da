-- The outbox: what a channel is still to send, a row a message. The web has none: who looks reads the messages themselves.
create table deliveries (
  id bigint generated always as identity primary key,
  -- the idempotency key: the same at each attempt
  key text not null unique,
  project_id bigint not null,
  conversation_id bigint not null,
  seq integer not null,
  -- what is asked with the message
  request json,
  -- due: to be sent. dead: given up, with the reason; people may have it sent again
  status text not null check (status in ('due', 'sent', 'dead')),
  -- when it may be tried; while somebody is at it, when it is taken for cut
  due_at timestamptz not null,
  attempts integer not null default 0,
  error text,
  -- what the channel's other side calls it
  external_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (conversation_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index deliveries_due on deliveries (conversation_id, seq) where status = 'due';
-- a visitor's conversations on a channel, the closed ones too: a message that comes again may be of one of them
create index conversations_of_address on conversations (chatbot_id, channel, address) where address is not null;
create index deliveries_dead on deliveries (project_id, conversation_id) where status = 'dead';
