-- When people answer visitors, and how soon: see server/modules/inbox. The shape is contracts/office.ts.
alter table teams add column office jsonb not null default '{}';

create table inbox_settings (
  project_id bigint primary key references projects (id) on delete cascade,
  office jsonb not null,
  updated_at timestamptz not null
);

-- Who is away is given no conversations.
alter table project_members add column is_away boolean not null default false;

-- By when visitors' conversations with people are to be answered and resolved.
create table conversation_targets (
  conversation_id bigint primary key,
  project_id bigint not null,
  -- since when people are to answer
  started_at timestamptz not null,
  -- the first answer of a person; null: none yet
  answered_at timestamptz,
  -- closed, or given back to the bot; null: not yet
  resolved_at timestamptz,
  -- null: no target is set
  answer_due_at timestamptz,
  resolution_due_at timestamptz,
  -- what is due next; null: nothing
  due_at timestamptz generated always as (
    case
      when resolved_at is not null then null
      when answered_at is not null then resolution_due_at
      else least(answer_due_at, resolution_due_at)
    end
  ) stored,
  foreign key (conversation_id, project_id) references conversations (id, project_id) on delete cascade
);
create index conversation_targets_due on conversation_targets (project_id, due_at) where due_at is not null;
