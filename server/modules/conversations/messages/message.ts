import type { Selectable } from 'kysely'
import type { BotMessage } from '../../../../engine/flow/effects'
import type { Told } from '../events'
import type { ConversationsTable, MessagesTable } from '../tables'

/** A conversation whose row the caller has locked, since messages are numbered in it. */
export type Appendable = Pick<Selectable<ConversationsTable>, 'id' | 'project_id' | 'channel' | 'last_seq'> & Told

/**
 * A message to be appended: of the visitor (SPEC.md 3: author 2), of the bot, or of a member (`senderId`), who is on
 * the bot's side.
 */
export type NewMessage =
  | { author: 2; content: BotMessage; clientId: string | null; ownWords: boolean }
  | { author: 1; content: BotMessage; blockId: string | null; senderId?: string; clientId?: string }

/** A stored message of its conversation. */
export type Stored = Omit<
  Selectable<MessagesTable>,
  'conversation_id' | 'project_id' | 'helpful' | 'reaction' | 'words'
>
