-- What a chatbot is trained on. A source of the kind `link` is one page; crawls find many.
alter table chatbots
  add column business_name text not null default '' check (char_length(business_name) <= 100),
  add column business_description text not null default '' check (char_length(business_description) <= 200),
  add column instructions text not null default '' check (char_length(instructions) <= 20000),
  add column ai_model_id int not null default 1,
  -- asked when the first one fails; null: none
  add column ai_fallback_model_id int,
  -- a name of engine/values/aiLanguages.ts
  add column ai_language text not null default 'Auto',
  add column ai_temperature real not null default 0 check (ai_temperature between 0 and 1),
  -- parts of addresses that answers never link to
  add column hide_urls text[] not null default '{}',
  -- the chatbot whose knowledge base is used instead of its own
  add column linked_kb_id bigint,
  -- counts the changes of its chunks: an index in memory is as old as this
  add column knowledge_version bigint not null default 0,
  -- where "I don't know" begins: measured at each training
  add column knowledge_calibration json,
  add constraint chatbots_linked_kb foreign key (linked_kb_id, project_id)
    references chatbots (id, project_id) on delete set null (linked_kb_id),
  add check (linked_kb_id is distinct from id);
create index chatbots_linked_kb on chatbots (linked_kb_id) where linked_kb_id is not null;

-- A search for pages that a person began: the frontier is in crawl_pages, so that it goes on after a crash.
create table crawls (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  mode text not null check (mode in ('page', 'sitemap', 'crawl')),
  url text not null check (char_length(url) <= 2048),
  depth int not null check (depth between 0 and 10),
  max_pages int not null check (max_pages between 1 and 10000),
  include text[] not null default '{}',
  exclude text[] not null default '{}',
  state text not null check (state in ('finding', 'found', 'done', 'stopped', 'error')),
  -- why it failed or ended early, for the editor
  reason text,
  -- pages in a row that could not be had since the site is slow or away
  failures int not null default 0,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, project_id),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create index crawls_chatbot on crawls (chatbot_id, id);
create index crawls_creator on crawls (created_by) where created_by is not null;

create table crawl_pages (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  crawl_id bigint not null,
  url text not null check (char_length(url) <= 2048),
  -- equal for addresses that are one page: http and https, with www and without
  key text not null check (char_length(key) <= 2048),
  -- equal for addresses of which there may be any number, as a calendar has; null: of none such
  family text check (char_length(family) <= 2048),
  depth int not null,
  state text not null check (state in ('waiting', 'found', 'left_out', 'failed')),
  attempts int not null default 0,
  title text not null default '' check (char_length(title) <= 500),
  -- why it was left out or failed
  reason text,
  -- of its main content: pages that say the same are found once
  content_hash text,
  unique (crawl_id, key),
  foreign key (crawl_id, project_id) references crawls (id, project_id) on delete cascade
);
create index crawl_pages_state on crawl_pages (crawl_id, state, id);
create index crawl_pages_content on crawl_pages (crawl_id, content_hash) where state = 'found';

create table knowledge_sources (
  id bigint generated always as identity primary key,
  gid text not null unique check (gid ~ '^[a-z0-9]{16}$'),
  project_id bigint not null,
  chatbot_id bigint not null,
  kind text not null check (kind in ('link', 'faq', 'text', 'document')),
  title text not null check (char_length(title) <= 500),
  -- of a link
  url text check (char_length(url) <= 2048),
  crawl_id bigint references crawls (id) on delete set null,
  -- of a document: names the bytes in the file store
  sha256 text,
  file_name text,
  bytes bigint,
  -- what a person wrote: an FAQ entry or a rich text; null for links and documents
  data json,
  -- what was read, as Markdown; null until it was
  content text,
  content_hash text,
  -- a server's own mark of what it gave last
  etag text,
  characters int not null default 0,
  chunk_count int not null default 0,
  pages int,
  -- ISO 639-1 where it is known
  language text,
  status text not null check (status in ('queued', 'reading', 'training', 'ready', 'error', 'stopped')),
  -- why it is in error or holds less than it might
  reason text,
  resync text not null default 'never' check (resync in ('never', 'daily', 'weekly', 'monthly')),
  -- when it is read again by itself; null: never
  next_resync_at timestamptz,
  -- names the reading that is planned or under way: what another one brings is thrown away
  run text,
  -- its place in the queue
  queued_at timestamptz,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  trained_at timestamptz,
  unique (id, project_id),
  check ((kind = 'link') = (url is not null)),
  foreign key (chatbot_id, project_id) references chatbots (id, project_id) on delete cascade
);
create unique index knowledge_sources_url on knowledge_sources (chatbot_id, md5(url)) where url is not null;
create index knowledge_sources_chatbot on knowledge_sources (chatbot_id, id);
create index knowledge_sources_waiting on knowledge_sources (project_id, queued_at) where status in ('queued', 'reading', 'training');
create index knowledge_sources_resync on knowledge_sources (next_resync_at) where next_resync_at is not null;
create index knowledge_sources_file on knowledge_sources (project_id, sha256) where sha256 is not null;
create index knowledge_sources_crawl on knowledge_sources (crawl_id) where crawl_id is not null;
create index knowledge_sources_creator on knowledge_sources (created_by) where created_by is not null;

create table knowledge_chunks (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  chatbot_id bigint not null,
  source_id bigint not null,
  position int not null,
  -- the headings that it stands under, or an FAQ entry's question with its other phrasings, a line each
  heading text not null default '',
  body text not null,
  -- what the index is built from, so that no text is read again for it (server/knowledge/retrieval)
  tokens bytea not null,
  -- of an embedding model; null: none was set up
  embedding bytea,
  embedding_model text,
  foreign key (source_id, project_id) references knowledge_sources (id, project_id) on delete cascade
);
create index knowledge_chunks_chatbot on knowledge_chunks (chatbot_id, id);
create index knowledge_chunks_source on knowledge_chunks (source_id, position);
