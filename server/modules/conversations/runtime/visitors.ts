import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Json } from '../../../../engine/values/json'
import { type VisibilitySettings, visibilitySchema } from '../../../contracts/web/settings'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { availabilityOf } from '../../web/availability'
import type { ConversationRef } from '../conversations/conversationRef'
import { nameOf } from './publicName'
import { createRemembered } from './remembered'
import { type Conversation, lockRow, runColumns, withRun } from './rows'
import { type LockRow, lockOf, type Pass, wantPass } from './shareLock'

/** Who names a conversation and shows its token, under a chatbot's public name. */
export interface Visitor {
  name: string
  gid: string
  token: string
}

interface VisitorsRef extends ConversationRef {
  chatbot_id: string
}

/** A conversation as the routes of its visitor need it. */
export interface VisitorsConversation extends VisitorsRef {
  visitor_hash: Buffer | null
  visibility: VisibilitySettings
  /** who may not write any more */
  blocked: boolean
}

/** A conversation with the settings that a visitor of it meets now. */
export interface LockedForVisitor {
  row: LockedRow
  visibility: VisibilitySettings
}

/** What says whether a visitor may go on with a conversation. */
interface AccessRow extends LockRow {
  opened_version: number | null
  member_id: string | null
  visibility: Json | null
  /** of the row of `web_chats`, if there is one */
  settings_version: string | null
  blocked: boolean
}
type LockedRow = Conversation & AccessRow

type FoundRow = AccessRow & VisitorsRef & { visitor_hash: Buffer | null }

/** How long a conversation is found for its writer without asking the database: what may change is read at its lock. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 10_000

// as SQL: each reply needs it, and building the query costs more than running it
const isBlocked = sql.raw(`(c.visitor_hash is not null and exists (select from blocked_visitors where
      blocked_visitors.chatbot_id = c.chatbot_id and blocked_visitors.project_id = c.project_id
      and blocked_visitors.visitor_hash = c.visitor_hash)
    or c.contact_id is not null and exists (select from contacts where contacts.blocked
      and contacts.id = c.contact_id and contacts.project_id = c.project_id))`)
const accessColumns = sql`
  c.share_version as opened_version, c.member_id, web_chats.xmin::text as settings_version,
  web_chats.share, web_chats.share_password_hash, web_chats.share_version, web_chats.share_key, web_chats.visibility,
  ${isBlocked} as blocked`
const withChatbot = sql.raw(`
  join chatbots on chatbots.id = c.chatbot_id and chatbots.project_id = c.project_id
  join flows on flows.chatbot_id = chatbots.id and flows.project_id = chatbots.project_id
  left join web_chats on web_chats.chatbot_id = chatbots.id and web_chats.project_id = chatbots.project_id`)

/** Condition: the token is the conversation's, and its chatbot is published under the name. */
function isOpenTo({ name, gid, token }: Visitor, now: Date) {
  const { column, value, environment } = nameOf(name)
  const hash = hashToken(token)
  return sql`c.gid = ${gid} and (c.token_hash = ${hash} or exists (
      select from mail_threads where mail_threads.conversation_id = c.id and mail_threads.project_id = c.project_id
        and mail_threads.link_hash = ${hash} and mail_threads.link_until > ${now}))
    and c.environment = ${environment} and ${sql.ref(column)} = ${value}
    and chatbots.deleting_since is null and chatbots.suspended_at is null and flows.is_main and flows.published_version_id is not null`
}

/**
 * The visitors of conversations.
 *
 * A reply is checked with the lock of its conversation's row, in one statement: to find the conversation first costs as
 * much as the rest of the turn's reading. Only which conversation the token belongs to is remembered.
 */
export function createVisitors({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) {
  const remembered = createRemembered<LockedRow>()
  const writers = new Map<string, { ref: VisitorsRef; until: number }>()

  /**
   * The conversation of a visitor who holds its token, while its chatbot is published under the name.
   * @param renewed what the visitor has just opened the shared page with
   * @throws ApiError not_found if there is none or the token is wrong; password_required or login_required if the
   *   shared page is locked and the conversation was not opened with what it takes now
   */
  async function find(visitor: Visitor, renewed?: Pass): Promise<VisitorsConversation> {
    const { rows } = await sql<FoundRow>`select c.id, c.project_id, c.chatbot_id, c.visitor_hash, ${accessColumns}
      from conversations c ${withChatbot} where ${isOpenTo(visitor, clock())}`.execute(db)
    const [row] = rows
    if (!row) throw new ApiError('not_found')
    const { id, project_id, chatbot_id, visitor_hash, blocked } = row
    const own = db.forProject(project_id)
    if (renewed) await own.updateTable('conversations').set(renewed).where('id', '=', id).execute()
    await wantPass(own, project_id, lockOf(nameOf(visitor.name).environment, row), renewed ?? passOf(row))
    return { id, project_id, chatbot_id, visitor_hash, visibility: visibilityOf(row), blocked }
  }

  /**
   * Outside of the hours, and of a chatbot that is off, a conversation can be read alone.
   * @throws ApiError `chat_closed`, `visitor_blocked`
   */
  function wantWriter({ visibility, blocked }: Pick<VisitorsConversation, 'visibility' | 'blocked'>): void {
    if (availabilityOf(visibility, clock()).state !== 'open') throw new ApiError('chat_closed')
    if (blocked) throw new ApiError('visitor_blocked')
  }

  return {
    find,

    /** Likewise, for one who writes. @throws ApiError as `find` does, `chat_closed`, `visitor_blocked` */
    async findWriter(visitor: Visitor): Promise<VisitorsConversation> {
      const found = await find(visitor)
      wantWriter(found)
      return found
    },

    /**
     * Which conversation a writer's token is of, as it was a minute ago at most: only for what `lock` follows, which
     * checks all the rest. @throws ApiError as `findWriter` does
     */
    async recall(visitor: Visitor): Promise<VisitorsRef> {
      const key = keyOf(visitor)
      const known = writers.get(key)
      if (known && known.until > clock().getTime()) return known.ref
      writers.delete(key)
      const { id, project_id, chatbot_id } = await this.findWriter(visitor)
      for (const oldest of writers.keys()) {
        if (writers.size < MOST_REMEMBERED) break
        writers.delete(oldest)
      }
      const ref = { id, project_id, chatbot_id }
      writers.set(key, { ref, until: clock().getTime() + REMEMBERED_MS })
      return ref
    },

    /**
     * Locks the conversation of one who writes, with its current run, until the transaction ends. @throws ApiError as
     * `findWriter` does
     */
    async lock(work: Work, visitor: Visitor, ref: ConversationRef): Promise<LockedForVisitor> {
      try {
        const row = await lockRow(() =>
          sql<LockedRow>`select ${runColumns}, ${accessColumns} ${withRun} ${withChatbot}
            where c.id = ${ref.id} and c.project_id = ${ref.project_id} and ${isOpenTo(visitor, clock())}
            for update of c, r`.execute(work),
        )
        if (!row) throw new ApiError('not_found')
        await wantPass(work, ref.project_id, lockOf(nameOf(visitor.name).environment, row), passOf(row))
        const visibility = visibilityOf(row)
        wantWriter({ visibility, blocked: row.blocked })
        return { row, visibility }
      } catch (error) {
        writers.delete(keyOf(visitor))
        throw error
      }
    },

    /**
     * Remembers what a turn of the visitor has stored, for `lockLater`. Not where members alone may write: whether
     * somebody is one is read each time.
     */
    remember(visitor: Visitor, row: LockedRow, version: string): void {
      if (lockOf(nameOf(visitor.name).environment, row)?.members) return
      remembered.keep(keyOf(visitor), row, version)
    },

    /**
     * The conversation as it was remembered, with the guard that locks it when the turn is stored, if nobody has
     * written it, the chatbot is still open to the visitor, and its settings are the same. Undefined if it was not, or
     * if these settings refuse the visitor: by now there may be others.
     */
    lockLater(visitor: Visitor): LockedForVisitor | undefined {
      const known = remembered.take(keyOf(visitor))
      if (!known) return undefined
      const { row, version } = known
      const visibility = visibilityOf(row)
      if (availabilityOf(visibility, clock()).state !== 'open') return undefined
      const guard = sql<{ id: string; run_id: string }>`select c.id, c.run_id ${withRun} ${withChatbot}
        where c.id = ${row.id} and c.project_id = ${row.project_id} and ${isOpenTo(visitor, clock())}
          and c.xmin = ${version}::xid and r.xmin = ${version}::xid
          and web_chats.xmin is not distinct from ${row.settings_version}::xid and not ${isBlocked}
        for update of c, r`
      return { row: { ...row, guard }, visibility }
    },
  }
}

export type Visitors = ReturnType<typeof createVisitors>

const passOf = ({ opened_version, member_id }: AccessRow): Pass => ({ share_version: opened_version, member_id })
const visibilityOf = ({ visibility }: AccessRow): VisibilitySettings => visibilitySchema.parse(visibility ?? {})
/** The token is of the caller's choice, and may be long. */
const keyOf = ({ name, gid, token }: Visitor): string => `${name} ${gid} ${hashToken(token).toString('base64')}`

/** What is kept of a visitor's token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
