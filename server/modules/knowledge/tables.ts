import type { ColumnType, Generated } from 'kysely'
import type { CrawlMode, CrawlState, PageState } from '../../contracts/crawls'
import type { FeedKind, FeedOptions, FeedState } from '../../contracts/feeds'
import type { Resync, SourceData, SourceKind, SourceStatus } from '../../contracts/sources'

/** Rows of knowledge bases (migration 0020). */
declare module '../../platform/database/tables' {
  interface Database {
    crawls: CrawlsTable
    crawl_pages: CrawlPagesTable
    knowledge_feeds: KnowledgeFeedsTable
    knowledge_sources: KnowledgeSourcesTable
    knowledge_chunks: KnowledgeChunksTable
  }
}

/** A crawl started by a person. */
export interface CrawlsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  mode: CrawlMode
  url: string
  depth: number
  max_pages: number
  include: string[]
  exclude: string[]
  /** `found`: people may choose what to train; `done`: they have chosen */
  state: CrawlState
  reason: string | null
  /** consecutive pages that failed because the site is slow or unavailable */
  failures: Generated<number>
  created_by: string | null
  created_at: Date
  updated_at: Date
}
/** The frontier of a crawl, and the result of each page. */
export interface CrawlPagesTable {
  id: Generated<string>
  project_id: string
  crawl_id: string
  url: string
  /** equal for addresses of the same page */
  key: string
  /** equal for addresses of which there may be any number; null for single ones */
  family: string | null
  depth: number
  state: PageState
  attempts: Generated<number>
  title: Generated<string>
  reason: string | null
  content_hash: string | null
  /** hashes of what it says */
  blocks: Generated<string[] | null>
}
export interface KnowledgeSourcesTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  kind: SourceKind
  title: string
  url: string | null
  crawl_id: string | null
  sha256: string | null
  file_name: string | null
  bytes: ColumnType<string | null, number | null | undefined, number | null>
  /** hand-written content; null for links and documents */
  data: ColumnType<SourceData | null, string | null | undefined, string | null>
  /** Markdown; null until it is read */
  content: string | null
  content_hash: string | null
  etag: string | null
  characters: Generated<number>
  chunk_count: Generated<number>
  pages: number | null
  language: string | null
  status: SourceStatus
  reason: string | null
  resync: Generated<Resync>
  /** what speaks to assistants, as it was trained */
  planted: Generated<string[]>
  /** what of it a member allows to be said */
  planted_allowed: Generated<string[]>
  /** null: never */
  next_resync_at: Date | null
  /** the planned or current run */
  run: string | null
  queued_at: Date | null
  created_by: string | null
  created_at: Date
  updated_at: Date
  trained_at: Date | null
  /** the list that brought it; null: none, or it is gone */
  feed_id: Generated<string | null>
  /** of an article of a Help Center: where the API has it */
  article_url: Generated<string | null>
  /** of its last edit, as the list says */
  article_mark: Generated<string | null>
  /** the text that the list brought, as Markdown; null: it is read at its address */
  brought: Generated<string | null>
  /** of a page: hashes of what it says, to be compared with other pages of its site */
  blocks: ColumnType<
    string[] | null,
    readonly (string | number)[] | null | undefined,
    readonly (string | number)[] | null
  >
}
/** A list of pages that is read again and again. */
export interface KnowledgeFeedsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  kind: FeedKind
  url: string
  /** '' until it is read */
  title: Generated<string>
  most: number
  resync: Resync
  state: Generated<FeedState>
  reason: Generated<string | null>
  /** what is read of it, by its kind */
  options: ColumnType<FeedOptions, string | undefined, string>
  /** of the state that was read whole, such as a commit */
  mark: Generated<string | null>
  /** pages that the reading under way has found so far */
  found: Generated<number | null>
  /** md5 of the addresses of pages that members have deleted */
  left_out: Generated<string[]>
  read_at: Generated<Date | null>
  /** null: never by itself */
  next_read_at: Date | null
  created_by: string | null
  created_at: Date
  updated_at: Date
}
export interface KnowledgeChunksTable {
  id: Generated<string>
  project_id: string
  chatbot_id: string
  source_id: string
  position: number
  /** headings above it; for an FAQ entry the question and its other phrasings, one per line */
  heading: Generated<string>
  body: string
  /** see server/modules/knowledge/retrieval */
  tokens: Buffer
  embedding: Buffer | null
  embedding_model: string | null
}
