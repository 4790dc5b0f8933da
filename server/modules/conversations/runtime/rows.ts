import type { Selectable } from 'kysely'
import type { BotMessage, Reply } from '../../../../engine/flow/effects'
import type { TurnResult } from '../../../../engine/run/session'
import type { Db, Work } from '../../../platform/database/database'
import type { TurnPath } from '../../statistics/turnPath'
import type { ConversationsTable, HeardTurn, MessagesTable } from '../tables'
import type { RecordedEffect } from './machine'

export type Conversation = Selectable<ConversationsTable>

/** A conversation, named by what the caller may see: its project, and its id. */
export interface ConversationRef {
  id: string
  project_id: string
}

/** The row, locked until the transaction ends; undefined when it was deleted. */
export async function lockConversation(work: Work, ref: ConversationRef): Promise<Conversation | undefined> {
  const row = await work
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', ref.id)
    .where('project_id', '=', ref.project_id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, session: { ...ADDED, ...row.session } }
}

/** What sessions did not have when conversations were first kept: those go on. */
const ADDED = { flowId: null, listen: null, cutIn: null, frames: [] }

/** What the visitor said, to be written with the turn that it begins; null when it stands already, or for a first turn. */
export type VisitorMessage = { content: BotMessage; clientId: string; ownWords: boolean } | null

/** A message as it stands in its conversation. */
type Stored = Omit<Selectable<MessagesTable>, 'conversation_id' | 'project_id'>
export type Said = Omit<Stored, 'own_words'>

/** A conversation with some of its messages: what a turn left, or what was read. */
export interface Transcript extends Pick<Conversation, 'gid' | 'state' | 'session'> {
  messages: Said[]
}

function saidIn(row: Conversation, visitor: VisitorMessage, bot: TurnResult['messages'], at: Date): Stored[] {
  const said = visitor
    ? [
        {
          author: 2 as const,
          content: visitor.content,
          block_id: null,
          client_id: visitor.clientId,
          own_words: visitor.ownWords,
        },
      ]
    : []
  const answers = bot.map(({ blockId, ...content }) => ({
    author: 1 as const,
    content,
    block_id: blockId,
    client_id: null,
    own_words: false,
  }))
  return [...said, ...answers].map((message, index) => ({ ...message, seq: row.last_seq + 1 + index, created_at: at }))
}

const messageRows = (row: Conversation, messages: Stored[]) =>
  messages.map((message) => ({
    ...message,
    content: JSON.stringify(message.content),
    conversation_id: row.id,
    project_id: row.project_id,
  }))

/** The end of a turn in one statement: the bot's messages, the record of its steps, its path where it counts, the new state. */
export async function saveTurn(
  work: Work,
  row: Conversation,
  turn: TurnResult & {
    visitor: VisitorMessage
    heard: HeardTurn | null
    took: number | null
    path: TurnPath | null
    at: Date
  },
): Promise<Transcript> {
  const messages = saidIn(row, turn.visitor, turn.messages, turn.at)
  const state = turn.session.status === 'ended' ? 'ended' : 'waiting'
  const record = {
    conversation_id: row.id,
    project_id: row.project_id,
    turn: row.turns,
    trace: JSON.stringify(turn.trace),
    variables: JSON.stringify(turn.variables),
    stopped: turn.stopped ? JSON.stringify(turn.stopped) : null,
    heard: turn.heard && JSON.stringify(turn.heard),
    session: turn.heard && JSON.stringify(turn.session),
    last_seq: turn.heard && row.last_seq + messages.length,
    took: turn.took,
    created_at: turn.at,
  }
  const { id, project_id, chatbot_id, turns } = row
  const path = turn.path && {
    conversation_id: id,
    project_id,
    chatbot_id,
    turn: turns,
    at: turn.at,
    path: JSON.stringify(turn.path),
  }
  const recorded = work.with('record', (db) => db.insertInto('turn_records').values(record).returning('turn'))
  const followed = path
    ? recorded.with('followed', (db) => db.insertInto('turn_paths').values(path).returning('turn'))
    : recorded
  const said =
    messages.length === 0
      ? followed
      : followed.with('said', (db) => db.insertInto('messages').values(messageRows(row, messages)).returning('seq'))
  await said
    .updateTable('conversations')
    .set({
      state,
      session: JSON.stringify(turn.session),
      pending: null,
      last_seq: row.last_seq + messages.length,
      turns: row.turns + 1,
      updated_at: turn.at,
      ...(turn.visitor && { last_client_id: turn.visitor.clientId }),
    })
    .where('id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .execute()
  return { gid: row.gid, state, session: turn.session, messages }
}

/** Leaves the turn open for a call outside: what it works on and what it has asked for so far. */
export async function parkTurn(
  work: Work,
  row: Conversation,
  park: { reply: Reply | null; effects: RecordedEffect[]; visitor: VisitorMessage; at: Date },
): Promise<void> {
  const messages = messageRows(row, saidIn(row, park.visitor, [], park.at))
  if (messages.length > 0) await work.insertInto('messages').values(messages).execute()
  await insertEffects(work, row, park.effects, park.at)
  await work
    .updateTable('conversations')
    .set({
      state: 'running',
      pending: JSON.stringify({ reply: park.reply }),
      last_seq: row.last_seq + messages.length,
      updated_at: park.at,
      ...(park.visitor && { last_client_id: park.visitor.clientId }),
    })
    .where('id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .execute()
}

export async function insertEffects(work: Work, row: Conversation, effects: RecordedEffect[], at: Date): Promise<void> {
  if (effects.length === 0) return
  const values = effects.map((effect) => ({
    conversation_id: row.id,
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
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('turn', '=', row.turns)
    .where('position', '=', position)
    .execute()
}

export async function readEffects(db: Db | Work, row: Conversation): Promise<RecordedEffect[]> {
  return db
    .selectFrom('effects')
    .select(['position', 'type', 'key', 'request', 'status', 'result'])
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('turn', '=', row.turns)
    .orderBy('position')
    .execute()
}
