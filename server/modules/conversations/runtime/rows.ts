import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { BotMessage, Reply } from '../../../../engine/flow/effects'
import type { Session } from '../../../../engine/run/session'
import type { Db, Work } from '../../../platform/database/database'
import { Statement } from '../../../platform/database/statement'
import {
  type Actor,
  appendEvent,
  type EventContext,
  eventRow,
  type NewEvent,
} from '../../../platform/events/defineEvent'
import type { ConversationRef } from '../conversations/conversationRef'
import {
  about,
  conversationClosed,
  conversationHandedOver,
  conversationReopened,
  conversationSeparated,
  runEnded,
  turnContext,
} from '../events'
import { appendAt, appendMessages } from '../messages/appendMessages'
import type { NewMessage, Stored } from '../messages/message'
import type { ConversationsTable, RunsTable } from '../tables'
import type { RecordedEffect } from './machine'

type OfConversation =
  | 'id'
  | 'gid'
  | 'project_id'
  | 'chatbot_id'
  | 'environment'
  | 'channel'
  | 'started_by'
  | 'visitor_hash'
  | 'assignee_id'
  | 'status'
  | 'last_seq'
  | 'last_client_id'
  | 'updated_at'
  | 'merged_into'
type OfRun =
  | 'number'
  | 'flow_version_id'
  | 'state'
  | 'session'
  | 'start_event'
  | 'opening'
  | 'pending'
  | 'pauses'
  | 'carries_out'
  | 'turns'

/** A conversation with its current run: `id` is the conversation's, `run_id` the run's. */
export type Conversation = Pick<Selectable<ConversationsTable>, OfConversation> &
  Pick<Selectable<RunsTable>, OfRun> & {
    run_id: string
    /** present if the row is not locked but remembered: see `remembered.ts` */
    guard?: Guard
  }

/** Of a row that is not locked: locks it and selects its ids, or selects nothing if it was written meanwhile. */
export type Guard = RawBuilder<{ id: string; run_id: string }>

/** A conversation's current run. */
export interface RunRef extends ConversationRef {
  run_id: string
}

/**
 * Of conversations with their current runs. Raw SQL: every turn starts with it, and building the query costs more than
 * running it.
 */
export const runColumns = sql.raw(`
  c.id, c.gid, c.project_id, c.chatbot_id, c.environment, c.channel, c.started_by, c.visitor_hash, c.assignee_id,
  c.status, c.last_seq, c.last_client_id, c.updated_at, c.merged_into, c.run_id, r.number, r.flow_version_id, r.state,
  r.session, r.start_event, r.opening, r.pending, r.pauses, r.carries_out, r.turns`)
export const withRun = sql.raw('from conversations c join runs r on r.id = c.run_id and r.project_id = c.project_id')

/**
 * The conversation with its current run, both locked until the transaction ends; undefined when it was deleted or has
 * no run.
 */
export const lockConversation = (work: Work, ref: ConversationRef): Promise<Conversation | undefined> =>
  lockRow(() =>
    sql<Conversation>`select ${runColumns} ${withRun}
      where c.id = ${ref.id} and c.project_id = ${ref.project_id} for update`.execute(work),
  )

/** The row of a query that locks a conversation with its run; undefined when it finds none. */
export async function lockRow<Row extends Conversation>(
  lock: () => Promise<{ rows: Row[] }>,
): Promise<Row | undefined> {
  // if another run started while the first statement waited for the lock, that statement joins the run it looked up
  // before and finds no row: try again
  const row = (await lock()).rows[0] ?? (await lock()).rows[0]
  return row && { ...row, session: { ...ADDED, ...row.session } }
}

/** A test conversation of the user with its run; undefined when there is none. */
export async function findTest(
  db: Db,
  { projectId, chatbotId, gid, userId }: { projectId: string; chatbotId: string; gid: string; userId: string },
): Promise<Conversation | undefined> {
  const { rows } = await sql<Conversation>`select ${runColumns} ${withRun}
    where c.gid = ${gid} and c.project_id = ${projectId} and c.chatbot_id = ${chatbotId} and c.started_by = ${userId}`.execute(
    db,
  )
  return rows[0]
}

/** Defaults of fields that sessions stored by earlier versions lack. */
const ADDED = { flowId: null, listen: null, cutIn: null, frames: [] }

/**
 * The visitor's message, to be stored with the turn that it starts; null if it is stored already, or for a first turn.
 */
export type VisitorMessage = { content: BotMessage; clientId: string; ownWords: boolean } | null

export type Said = Omit<Stored, 'own_words' | 'sender_id'> & {
  helpful?: boolean | null
  /** the name of the member who wrote it */
  sender?: string | null
  /** the id of their picture */
  picture?: string | null
}

/** A conversation with some of its messages, after a turn or as read. */
export interface Transcript extends Pick<Conversation, 'gid' | 'status' | 'state' | 'session' | 'assignee_id'> {
  messages: Said[]
  /** after a turn: its row, for the next one */
  saved?: SavedRow
  /** how many visitors have waited longer for a person; absent if this one does not wait, or it was not read */
  before?: number
  /** the visitor waits for a person, outside of the team's hours */
  away?: { message: string; opensAt: Date | null }
}

/** A conversation's row as a turn has stored it. */
export interface SavedRow {
  row: Conversation
  /** the transaction that wrote the conversation and the run: both have it as long as nobody writes them again */
  version: string
}

export const visitorPart = (visitor: VisitorMessage): NewMessage[] => (visitor ? [{ author: 2, ...visitor }] : [])

/** Who handles the conversation after a turn: if the flow asked for a person, it waits for one until it is closed. */
export const statusAfter = ({ status, open }: Session): Conversation['status'] =>
  status === 'ended' ? 'closed' : open ? 'waiting' : 'bot'

/** The events of a turn beside its messages. */
export function eventsAfter(row: Conversation, session: Session, by: Actor, at: Date): NewEvent[] {
  const context = turnContext(row, at, by)
  const status = statusAfter(session)
  const told: NewEvent[] = []
  if (session.status === 'ended' && row.state !== 'ended')
    told.push(eventRow(runEnded, context, { ...about(row), run: row.number }))
  if (status === row.status) return told
  if (status === 'closed') told.push(eventRow(conversationClosed, context, about(row)))
  if (status === 'waiting') told.push(eventRow(conversationHandedOver, context, about(row)))
  return told
}

/** Leaves the turn open for an external call: stores its input and the effects so far. Ends the transaction. */
export async function parkTurn(
  work: Work,
  row: Conversation,
  park: { reply: Reply | null; effects: RecordedEffect[]; visitor: VisitorMessage; at: Date },
): Promise<void> {
  await insertEffects(work, row, park.effects, park.at)
  const statement = new Statement()
  const pending = JSON.stringify({ reply: park.reply })
  const run = statement.update('runs', { state: 'running', pending, opening: null })
  statement.with('run', `${run} where ${isRun(statement, row)}`)
  await appendAt(statement, work, row, visitorPart(park.visitor), park.at, {
    ...(park.visitor && { last_client_id: park.visitor.clientId }),
    commits: true,
  })
}

/** Condition of a part of a statement: it is the conversation's current run. */
export const isRun = (statement: Statement, { run_id, project_id }: Pick<Conversation, 'run_id' | 'project_id'>) =>
  `id = ${statement.value(run_id)} and project_id = ${statement.value(project_id)}`

/** Updates a conversation's current run. */
export const updateRun = (
  db: Pick<Work, 'updateTable'>,
  { run_id, project_id }: Pick<Conversation, 'run_id' | 'project_id'>,
  values: Updateable<RunsTable>,
) => db.updateTable('runs').set(values).where('runs.id', '=', run_id).where('runs.project_id', '=', project_id)

export async function insertEffects(work: Work, row: Conversation, effects: RecordedEffect[], at: Date): Promise<void> {
  if (effects.length === 0) return
  const values = effects.map((effect) => ({
    run_id: row.run_id,
    project_id: row.project_id,
    turn: row.turns,
    position: effect.position,
    type: effect.type,
    key: effect.key,
    request: JSON.stringify(effect.request),
    status: effect.status,
    result: JSON.stringify(effect.result),
    created_at: at,
  }))
  await work.insertInto('effects').values(values).execute()
}

export async function finishEffect(db: Db, row: Conversation, position: number, result: string): Promise<void> {
  await db
    .updateTable('effects')
    .set({ status: 'done', result })
    .where('run_id', '=', row.run_id)
    .where('project_id', '=', row.project_id)
    .where('turn', '=', row.turns)
    .where('position', '=', position)
    .execute()
}

export async function readEffects(db: Db | Work, row: Conversation): Promise<RecordedEffect[]> {
  return db
    .selectFrom('effects')
    .select(['position', 'type', 'key', 'request', 'status', 'result'])
    .where('run_id', '=', row.run_id)
    .where('project_id', '=', row.project_id)
    .where('turn', '=', row.turns)
    .orderBy('position')
    .execute()
}

/** Adds a visitor's message while a person has the conversation; the run does not take it. Ends the transaction. */
export async function appendVisitors(
  work: Work,
  row: Conversation,
  said: NonNullable<VisitorMessage>,
  at: Date,
): Promise<Transcript> {
  const { gid, status, state, session, assignee_id } = row
  const messages = await appendMessages(work, row, visitorPart(said), at, {
    last_client_id: said.clientId,
    commits: true,
  })
  return { gid, status, state, session, assignee_id, messages }
}

/** Whether the visitor's next message opens a closed conversation again: a person had it, who can go on with it. */
export const isReopenable = ({ status, assignee_id }: Pick<Conversation, 'status' | 'assignee_id'>): boolean =>
  status === 'closed' && assignee_id !== null

/**
 * Adds a visitor's message to a closed conversation, which is open again: with the person who had it, or, where that
 * person is no member any more, waiting for another one. If it was merged into another one, it is so no longer.
 */
export async function reopenByVisitor(
  work: Work,
  row: Conversation,
  said: NonNullable<VisitorMessage>,
  at: Date,
): Promise<Transcript> {
  const { gid, state, session } = row
  const member = await work
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', row.project_id)
    .where('user_id', '=', row.assignee_id)
    .executeTakeFirst()
  const assignee_id = member?.user_id ?? null
  await tellSeparated(work, row, turnContext(row, at, { actor: 'visitor' }))
  // without a person it waits for one all the same: its flow is over
  const status = 'person'
  const messages = await appendMessages(work, row, visitorPart(said), at, {
    last_client_id: said.clientId,
    status,
    assignee_id,
    // its page shows what is said here, and nothing of the one that it was merged into
    merged_into: null,
    events: [eventRow(conversationReopened, turnContext(row, at, { actor: 'visitor' }), about(row))],
  })
  return { gid, status, state, session, assignee_id, messages }
}

/** Tells that a merged conversation is one of its own again; who calls sets its row. */
export async function tellSeparated(work: Work, row: Conversation, context: EventContext): Promise<void> {
  if (row.merged_into === null) return
  const into = await work
    .selectFrom('conversations')
    .select('gid')
    .where('id', '=', row.merged_into)
    .where('project_id', '=', row.project_id)
    .executeTakeFirst()
  await appendEvent(work, conversationSeparated, context, { ...about(row), from: into?.gid ?? '' })
}

/** PostgreSQL's unique_violation on the client's message id: the message was stored before. */
export function isDuplicateMessage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === 'messages_client'
  )
}
