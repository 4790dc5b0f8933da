-- Conversations that were handed to people, who are told by mail of what the visitor adds.
create table hand_offs (
  conversation_id bigint primary key,
  project_id bigint not null,
  handed_over_at timestamptz not null,
  team text not null,
  note text not null,
  -- who is mailed, as the block says; empty: everybody who may answer visitors
  addresses json not null,
  -- where the visitor is answered; null: no address is known
  email text,
  -- a test did it for real
  test boolean not null default false,
  -- the last message that a mail has told them of
  mailed_seq integer not null,
  -- when they are told of what was added since; null: nothing was
  due_at timestamptz,
  -- the mail under way: up to which message, and its key, which is the same after a crash
  mailing_seq integer,
  mailing_key text,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
insert into hand_offs (conversation_id, project_id, handed_over_at, team, note, addresses, mailed_seq)
  select id, project_id, handed_over_at, coalesce(hand_off_team, ''), coalesce(hand_off_note, ''), '[]', last_seq
  from conversations where handed_over_at is not null;
alter table conversations
  drop column handed_over_at,
  drop column hand_off_team,
  drop column hand_off_note;

-- Whether a visitor typed a message in words of their own: it is no option, no address, no number.
alter table messages add column own_words boolean not null default false;
