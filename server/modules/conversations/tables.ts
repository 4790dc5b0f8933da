import type { ColumnType, Generated } from 'kysely'
import type { StartEvent } from '../../../engine/flow/conversation'
import type { BotMessage, InputRequest, Reply } from '../../../engine/flow/effects'
import type { RecordedAnswer, Recording } from '../../../engine/run/recordingFormat'
import type { Place, Session, TraceStep, TurnResult } from '../../../engine/run/session'
import type { Json } from '../../../engine/values/json'
import type { TurnPath } from '../statistics/turnPath'

/** Rows of conversations, what was kept of them, and what is counted of them. */
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
    place_visits: PlaceVisitsTable
    visit_counts: VisitCountsTable
  }
}

/** `bot`: a run takes what the visitor says. `waiting`: the same, and a person is wanted. `person`: nobody but people answers. */
export type ConversationStatus = 'bot' | 'waiting' | 'person' | 'closed'

/** What a visitor, the bot and people say to each other on one channel. */
export interface ConversationsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  /** the name of its channel */
  channel: Generated<string>
  /** who the visitor is on the channel; null on the web, where a token says that */
  address: Generated<string | null>
  environment: 'production' | 'sharing' | 'playground' | 'editor'
  token_hash: Buffer | null
  started_by: string | null
  contact_id: Generated<string | null>
  /** as the visitor's browser or channel names it */
  language: Generated<string | null>
  status: Generated<ConversationStatus>
  /** the member who has it */
  assignee_id: Generated<string | null>
  /** messages of the visitor that no member has seen, and of the other side that the visitor has not */
  team_unread: Generated<number>
  visitor_unread: Generated<number>
  last_seq: Generated<number>
  start_client_id: string
  /** the visitor's last message */
  last_client_id: string | null
  /** sha256 of the id that the visitor's browser keeps; null for testers, and where it keeps none */
  visitor_hash: Generated<Buffer | null>
  /** the visit in which it began, named by the visitor's browser */
  visit: Generated<string | null>
  /** the run that takes what the visitor says; null: none does */
  run_id: Generated<string | null>
  created_at: Date
  updated_at: Date
}

/** A session of the engine in a conversation. */
export interface RunsTable {
  id: Generated<string>
  project_id: string
  conversation_id: string
  /** from 1, in its conversation */
  number: number
  flow_version_id: string
  state: 'running' | 'waiting' | 'ended'
  session: ColumnType<Session, string, string>
  start_event: ColumnType<StartEvent, string | undefined, never>
  /** the visitor's message that began it, until its first turn has written it */
  opening: ColumnType<Opening | null, string | null | undefined, string | null>
  pending: ColumnType<PendingReply | null, string | null | undefined, string | null>
  /** a tester's; null: none */
  pauses: ColumnType<Pauses | null, string | null | undefined, string | null>
  /** a tester's that changes what is outside; else that is simulated */
  carries_out: Generated<boolean>
  turns: Generated<number>
  /** the first message that can be its own */
  first_seq: Generated<number>
  created_at: Date
}
/** A visitor's message that begins a run, and answers nothing in it. */
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
/** What a turn that was cut works on: `reply` null for the turn that starts a conversation. */
export interface PendingReply {
  reply: Reply | null
}
/** What a channel is to send: the outbox. */
export interface DeliveriesTable {
  id: Generated<string>
  /** the idempotency key: the same at each attempt */
  key: string
  project_id: string
  conversation_id: string
  seq: number
  /** what is asked with the message */
  request: ColumnType<InputRequest | null, string | null, never>
  status: 'due' | 'sent' | 'dead'
  /** when it may be tried; while somebody is at it, when it is taken for cut */
  due_at: Date
  attempts: Generated<number>
  error: Generated<string | null>
  external_id: Generated<string | null>
  created_at: Date
  sent_at: Generated<Date | null>
}
export interface MessagesTable {
  conversation_id: string
  project_id: string
  seq: number
  author: 1 | 2
  content: ColumnType<BotMessage, string, never>
  block_id: string | null
  client_id: string | null
  /** the member who said it, on the bot's side */
  sender_id: Generated<string | null>
  /** a visitor typed it in words of their own: it is no option, no address, no number */
  own_words: Generated<boolean>
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
  /** null for visitors, and for testers' turns of before there were tests */
  heard: ColumnType<HeardTurn | null, string | null, never>
  /** what testers go back to: the session after it, and its last message; null as `heard` */
  session: ColumnType<Session | null, string | null, never>
  last_seq: Generated<number | null>
  /** how long it took in ms, calls outside included */
  took: Generated<number | null>
  created_at: Date
}
/** What a tester's turn got from outside; `variables` for the first turn alone: what the host knew. */
export interface HeardTurn {
  reply: Reply | null
  variables: Record<string, Json> | null
  answers: RecordedAnswer[]
  /** how long calls took, by the place of their answer, in ms; none of those that were made before a crash */
  took?: Record<number, number>
  /** it went on from a pause, and nobody replied */
  continued?: true
  /** values that the tester set by hand: at the start, or in a turn of their own */
  set?: Record<string, Json>
  /** for the first turn: where it began instead of at a trigger */
  from?: Place
}
/** Before which blocks a tester's turn ends. */
export interface Pauses {
  /** before each one */
  step: boolean
  at: Pick<Place, 'flowId' | 'blockId'>[]
}
/** A conversation kept as a test. */
export interface RecordingsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  name: string
  /** without the name, which may be changed */
  recording: ColumnType<Omit<Recording, 'name'>, string, string>
  created_by: string | null
  created_at: Date
}

/** A conversation that was handed to people. */
export interface HandOffsTable {
  conversation_id: string
  project_id: string
  handed_over_at: Date
  team: string
  note: string
  /** who is mailed; none: everybody who may answer visitors */
  addresses: ColumnType<string[], string, string>
  /** where the visitor is answered; null: no address is known */
  email: string | null
  /** a test did it for real */
  test: boolean
  /** the last message that a mail has told them of */
  mailed_seq: number
  /** when they are told of what was added since; null: nothing was */
  due_at: Date | null
  /** the mail under way: up to which message, and its key */
  mailing_seq: number | null
  mailing_key: string | null
}

export interface SentFilesTable {
  id: Generated<string>
  gid: string
  project_id: string
  run_id: string
  turn: number
  /** names the bytes in the file store */
  sha256: string
  media_type: string
  bytes: number
  name: string
  /** when a reply named it; null: it was only uploaded */
  sent_at: Generated<Date | null>
  created_at: Date
}

/** What visitors' turns add to the statistics, until it is counted. */
export interface TurnPathsTable {
  run_id: string
  project_id: string
  chatbot_id: string
  turn: number
  path: ColumnType<TurnPath, string, never>
  at: Date
}
/** How far a visitor's run came. */
export interface RunVisitsTable {
  run_id: string
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
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
/** How many runs stand alike: kept by triggers of `run_visits`. */
export interface VisitCountsTable {
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  day: ColumnType<string, string, string>
  status: TurnPath['status']
  /** '' is the main flow, '?' nowhere */
  flow: string
  group_id: string
  block_id: string
  replies: number
  conversations: number
}
/** How often a group was entered, an edge taken. */
export interface PlaceVisitsTable {
  project_id: string
  chatbot_id: string
  flow_version_id: string
  environment: 'production' | 'sharing'
  day: ColumnType<string, string, string>
  flow: string
  kind: 'group' | 'edge'
  place: string
  conversations: number
  visits: number
}
