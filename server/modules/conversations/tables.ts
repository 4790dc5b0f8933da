import type { ColumnType, Generated } from 'kysely'
import type { StartEvent } from '../../../engine/flow/conversation'
import type { BotMessage, InputRequest, Reply } from '../../../engine/flow/effects'
import type { RecordedAnswer, Recording } from '../../../engine/run/recordingFormat'
import type { Place, Session, TraceStep, TurnResult } from '../../../engine/run/session'
import type { Json } from '../../../engine/values/json'
import type { Offered } from '../../contracts/offered'
import type { TurnPath } from '../statistics/turnPath'

/** Rows of conversations, their recordings and their statistics. */
declare module '../../platform/database/tables' {
  interface Database {
    conversations: ConversationsTable
    runs: RunsTable
    participants: ParticipantsTable
    deliveries: DeliveriesTable
    messages: MessagesTable
    effects: EffectsTable
    turn_records: TurnRecordsTable
    recordings: RecordingsTable
    sent_files: SentFilesTable
    hand_offs: HandOffsTable
    turn_paths: TurnPathsTable
    run_visits: RunVisitsTable
    run_places: RunPlacesTable
    place_visits: PlaceVisitsTable
    visit_counts: VisitCountsTable
    place_months: PlaceMonthsTable
    visit_months: VisitMonthsTable
    survey_answers: SurveyAnswersTable
    consents: ConsentsTable
    page_visits: PageVisitsTable
    blocked_visitors: BlockedVisitorsTable
    mail_threads: MailThreadsTable
    mail_refusals: MailRefusalsTable
    mail_inboxes: MailInboxesTable
    inbound_mails: InboundMailsTable
    conversation_merges: ConversationMergesTable
  }
}

/**
 * `bot`: a run takes the visitor's messages. `waiting`: the same, and a person is requested. `person`: only people
 * answer.
 */
export type ConversationStatus = 'bot' | 'waiting' | 'person' | 'closed'

/** A conversation between a visitor, the bot and people on one channel. */
export interface ConversationsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  /** the name of its channel */
  channel: Generated<string>
  /** the visitor's address on the channel; null on the web, where a token identifies them */
  address: Generated<string | null>
  environment: 'production' | 'sharing' | 'playground' | 'editor'
  token_hash: Buffer | null
  started_by: string | null
  contact_id: Generated<string | null>
  /** the language code as the visitor's browser or channel gives it */
  language: Generated<string | null>
  status: Generated<ConversationStatus>
  /** the assigned member */
  assignee_id: Generated<string | null>
  /** the number of the visitor's messages that no member has read, and of the other side's that the visitor has not */
  team_unread: Generated<number>
  visitor_unread: Generated<number>
  last_seq: Generated<number>
  /** 0: none, to 3: urgent */
  priority: Generated<0 | 1 | 2 | 3>
  /** not among the open ones until then, or until the visitor writes */
  snoozed_until: Generated<Date | null>
  /** since when the visitor waits for a person's answer; null: does not */
  waiting_since: Generated<Date | null>
  team_id: Generated<string | null>
  start_client_id: string
  /** the client id of the visitor's last message */
  last_client_id: string | null
  /** sha256 of the id stored in the visitor's browser; null for tests, and if the browser stores none */
  visitor_hash: Generated<Buffer | null>
  /** the visit in which it started, as the visitor's browser identifies it */
  visit: Generated<string | null>
  /** the run that takes the visitor's messages; null: none */
  run_id: Generated<string | null>
  /** the version of the shared page's password that it was opened with; null: there was none */
  share_version: Generated<number | null>
  /** when addresses and numbers in it were blacked out; null: they were not */
  redacted_at: Generated<Date | null>
  /** the member who opened it, where the shared page is for members alone */
  member_id: Generated<string | null>
  /** whether it counts in analytics and statistics: its visitor did not say no */
  analytics: Generated<boolean>
  /** the conversation of the same visitor with which it is read and answered; it is closed then */
  merged_into: Generated<string | null>
  created_at: Date
  updated_at: Date
}
/** What a merged conversation was before. */
export interface ConversationMergesTable {
  conversation_id: string
  project_id: string
  was_open: boolean
  assignee_id: string | null
  merged_by: string | null
  merged_at: Date
}

/** A session of the engine in a conversation. */
export interface RunsTable {
  id: Generated<string>
  project_id: string
  conversation_id: string
  /** counted from 1 in its conversation */
  number: number
  flow_version_id: string
  state: 'running' | 'waiting' | 'ended'
  session: ColumnType<Session, string, string>
  start_event: ColumnType<StartEvent, string | undefined, never>
  /** the visitor's message that started it, until its first turn has stored it */
  opening: ColumnType<Opening | null, string | null | undefined, string | null>
  pending: ColumnType<PendingReply | null, string | null | undefined, string | null>
  /** of a test; null: none */
  pauses: ColumnType<Pauses | null, string | null | undefined, string | null>
  /** of a test: whether external effects are carried out rather than simulated */
  carries_out: Generated<boolean>
  turns: Generated<number>
  /** the number of the first message that can belong to it */
  first_seq: Generated<number>
  created_at: Date
}
/** A visitor's message that starts a run and does not answer a question of it. */
export interface Opening {
  content: BotMessage
  clientId: string
}
/** Members of the project who take part in a conversation. */
export interface ParticipantsTable {
  conversation_id: string
  project_id: string
  user_id: string
  joined_at: Date
}
/** The input of an unfinished turn; `reply` is null for the turn that starts a conversation. */
export interface PendingReply {
  reply: Reply | null
}
/** The outbox: messages to be sent by a channel. */
export interface DeliveriesTable {
  id: Generated<string>
  /** the idempotency key: the same for each attempt */
  key: string
  project_id: string
  conversation_id: string
  seq: number
  /** the question asked with the message */
  request: ColumnType<InputRequest | null, string | null, never>
  status: 'due' | 'sent' | 'dead'
  /** when it may be tried; during an attempt, when the attempt counts as failed */
  due_at: Date
  attempts: Generated<number>
  error: Generated<string | null>
  external_id: Generated<string | null>
  created_at: Date
  sent_at: Generated<Date | null>
  /** how far the channel says that it has come; null: it does not say */
  reached: Generated<'delivered' | 'read' | null>
}
export interface MessagesTable {
  conversation_id: string
  project_id: string
  seq: number
  author: 1 | 2
  content: ColumnType<BotMessage, string, string>
  block_id: string | null
  client_id: string | null
  /** the member who sent it, on the bot's side */
  sender_id: Generated<string | null>
  /** a visitor typed it as free text: not an option, an address or a number */
  own_words: Generated<boolean>
  /** whether a message of the bot's helped, in the visitor's words; null: nothing was said */
  helpful: Generated<boolean | null>
  /** the emoji by which the visitor reacted to it */
  reaction: Generated<string | null>
  /** its text, for the full text search; null: it has none */
  words: Generated<string | null>
  created_at: Date
}
export interface EffectsTable {
  run_id: string
  project_id: string
  turn: number
  position: number
  type: 'now' | 'random' | 'call'
  key: string | null
  request: ColumnType<Json, string | null, never>
  status: 'started' | 'done'
  result: ColumnType<Json, string | null, string | null>
  created_at: Date
}
export interface TurnRecordsTable {
  run_id: string
  project_id: string
  turn: number
  trace: ColumnType<TraceStep[], string, never>
  variables: ColumnType<Record<string, Json>, string, never>
  stopped: ColumnType<TurnResult['stopped'], string | null, never>
  /** null for visitors, and for older tests' turns */
  received: ColumnType<ReceivedTurn | null, string | null, never>
  /** for going back in tests: the session after the turn, and the number of its last message; null as `received` */
  session: ColumnType<Session | null, string | null, never>
  last_seq: Generated<number | null>
  /** what the visitor could choose from or fill in after it; null: nothing, and for older turns */
  offered: ColumnType<Offered | null, string | null | undefined, string | null>
  /** duration in ms, external calls included */
  took: Generated<number | null>
  created_at: Date
}
/** The external inputs of a test's turn; `variables` for the first turn only: values that the host set. */
export interface ReceivedTurn {
  reply: Reply | null
  variables: Record<string, Json> | null
  answers: RecordedAnswer[]
  /** durations of calls in ms by the index of their result; without calls made before a crash */
  took?: Record<number, number>
  /** the turn continued from a pause, without a reply */
  continued?: true
  /** values that the tester set: at the start, or in a turn of their own */
  set?: Record<string, Json>
  /** for the first turn: the place it started at instead of a trigger */
  from?: Place
}
/** The blocks before which a test's turn pauses. */
export interface Pauses {
  /** before every block */
  step: boolean
  at: Pick<Place, 'flowId' | 'blockId'>[]
}
/** A conversation saved as a test. */
export interface RecordingsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  name: string
  /** without the name, which can be changed */
  recording: ColumnType<Omit<Recording, 'name'>, string, string>
  created_by: string | null
  created_at: Date
}

/** A conversation that was handed over to people. */
export interface HandOffsTable {
  conversation_id: string
  project_id: string
  handed_over_at: Date
  team: string
  note: string
  /** recipients of its mails; none: everybody who may answer visitors */
  addresses: ColumnType<string[], string, string>
  /** the reply address of the visitor; null: unknown */
  email: string | null
  /** a test handed it over for real */
  test: boolean
  /** the number of the last message that a mail contained */
  mailed_seq: number
  /** when to mail messages added since; null: there are none */
  due_at: Date | null
  /** the mail being sent: the number of its last message, and its idempotency key */
  mailing_seq: number | null
  mailing_key: string | null
}

export interface SentFilesTable {
  id: Generated<string>
  gid: string
  project_id: string
  run_id: string
  turn: number
  /** identifies the bytes in the file store */
  sha256: string
  media_type: string
  bytes: number
  name: string
  /** when a reply included it; null: it was only uploaded */
  sent_at: Generated<Date | null>
  created_at: Date
}

/** Visitors' turns that are not yet counted in the statistics. */
export interface TurnPathsTable {
  run_id: string
  project_id: string
  chatbot_id: string
  turn: number
  path: ColumnType<TurnPath, string, never>
  at: Date
}
/** The places that a visitor's run reached. */
export interface RunVisitsTable {
  run_id: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  channel: string
  /** YYYY-MM-DD, in UTC */
  day: ColumnType<string, string, string>
  status: TurnPath['status']
  /** '' is the main flow */
  flow: string | null
  group_id: string | null
  block_id: string | null
  last_at: Date
  replies: number
  places: string[]
}
/** The number of runs with the same state, maintained by triggers of `run_visits`. */
export interface VisitCountsTable {
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  channel: string
  day: ColumnType<string, string, string>
  status: TurnPath['status']
  /** '' is the main flow, '?' none */
  flow: string
  group_id: string
  block_id: string
  replies: number
  conversations: number
}
/** A group or a block of the main flow that a run came to. */
export interface RunPlacesTable {
  run_id: string
  project_id: string
  chatbot_id: string
  /** on which the run began: YYYY-MM-DD, in UTC */
  day: ColumnType<string, string, string>
  kind: 'group' | 'block'
  place: string
}
/** The number of times that a group was entered, an edge taken, or a block come to. */
export interface PlaceVisitsTable {
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  /** '' was counted before channels were told apart */
  channel: string
  day: ColumnType<string, string, string>
  flow: string
  kind: 'group' | 'edge' | 'block'
  place: string
  conversations: number
  visits: number
}

/** The same by months: written by triggers. */
export interface PlaceMonthsTable extends Omit<PlaceVisitsTable, 'day'> {
  month: ColumnType<string, string, string>
}
export interface VisitMonthsTable extends Omit<VisitCountsTable, 'day'> {
  month: ColumnType<string, string, string>
}

/** Pages on which visitors came back to their conversation, each once. */
export interface PageVisitsTable {
  id: Generated<string>
  project_id: string
  conversation_id: string
  page: string
  /** the last time */
  visited_at: Date
}

/** That visitors let their browser keep a conversation, or took that back. */
export interface ConsentsTable {
  id: Generated<string>
  project_id: string
  conversation_id: string
  given: boolean
  /** as it was shown; empty: the site that the chat stands on has asked */
  question: string
  said_at: Date
}

/** What visitors say of a conversation at its end. */
export interface SurveyAnswersTable {
  conversation_id: string
  project_id: string
  chatbot_id: string
  /** the question of a flow; empty: the survey of the chatbot's settings */
  block_id: Generated<string>
  /** from 1, very bad, to 5, very good; null: a question of a flow asked for something else */
  rating: number | null
  /** what was chosen, by its labels, for a question of a flow */
  chosen: Generated<string>
  follow_up: string[]
  resolved: boolean | null
  feedback: string
  answered_at: Date
}

/** Visitors who may not write any more: by their browser's id on the web, by their address on other channels. */
export interface BlockedVisitorsTable {
  id: Generated<string>
  project_id: string
  chatbot_id: string
  visitor_hash: Buffer | null
  channel: string | null
  address: string | null
  blocked_by: string | null
  created_at: Date
}

/** The mails of a web conversation's answers, and what their tokens are made of. */
export interface MailThreadsTable {
  conversation_id: string
  project_id: string
  sealed_key: string
  /** sha256 of each token */
  link_hash: Buffer
  reply_hash: Buffer
  unsubscribe_hash: Buffer
  /** until when the link back opens the conversation; null: no mail has one */
  link_until: Generated<Date | null>
  /** the number of the last message that was mailed, or seen */
  mailed_seq: Generated<number>
  /** the mail being sent: the number of its last message, and its idempotency key */
  mailing_seq: Generated<number | null>
  mailing_key: Generated<string | null>
  /** Message-IDs of both sides' mails, the newest last */
  message_ids: Generated<string[]>
  /** when a page of the visitor was last open */
  watched_at: Generated<Date | null>
  created_at: Date
}
/** Addresses that want no answers by mail. */
export interface MailRefusalsTable {
  project_id: string
  address_hash: Buffer
  refused_at: Date
}

/** Where visitors' replies to answers by mail arrive. */
export interface MailInboxesTable {
  project_id: string
  gid: string
  enabled: boolean
  kind: 'imap' | 'webhook'
  address: string
  host: Generated<string>
  port: Generated<number>
  username: Generated<string>
  folder: Generated<string>
  sealed_password: string | null
  /** what webhooks are signed with */
  sealed_secret: Generated<string | null>
  /** how far the mailbox was read */
  uid_validity: Generated<string | null>
  last_uid: Generated<string>
  checked_at: Generated<Date | null>
  problem: string | null
  updated_at: Date
}
/** Mails that came in, each once. */
export interface InboundMailsTable {
  id: Generated<string>
  gid: string
  project_id: string
  message_id: string
  conversation_id: string | null
  status: 'accepted' | 'refused' | 'ignored'
  reason: string | null
  sender: string
  subject: string
  received_at: Date
}
