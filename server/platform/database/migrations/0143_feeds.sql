-- Lists of pages that grow and change, which are read again and again: RSS and Atom feeds, Help Centers.
create table knowledge_feeds (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  kind text not null check (kind in ('feed', 'help_center')),
  url text not null check (char_length(url) <= 2048),
  -- what the list calls itself; '' until it is read
  title text not null default '' check (char_length(title) <= 500),
  -- the most entries that are taken at a reading
  most int not null,
  resync text not null check (resync in ('never', 'daily', 'weekly', 'monthly')),
  state text not null default 'reading' check (state in ('reading', 'ready', 'error')),
  -- why it could not be read, or not whole
  reason text,
  read_at timestamptz,
  -- when it is read again by itself; null: never
  next_read_at timestamptz,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create unique index knowledge_feeds_url on knowledge_feeds (chatbot_id, md5(url));
create index knowledge_feeds_due on knowledge_feeds (next_read_at) where next_read_at is not null;
create index knowledge_feeds_creator on knowledge_feeds (created_by) where created_by is not null;

alter table knowledge_sources
  -- the list that it came from
  add feed_id bigint,
  -- of an article of a Help Center: where the API has it, and the mark of its last edit
  add article_url text check (char_length(article_url) <= 2048),
  add article_mark text check (char_length(article_mark) <= 100),
  add foreign key (feed_id, project_id) references knowledge_feeds (id, project_id) on delete set null (feed_id);
create index knowledge_sources_feed on knowledge_sources (feed_id) where feed_id is not null;
