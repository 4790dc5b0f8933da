import { sql } from 'kysely'
import type { ProjectDb } from '../../../platform/database/database'

/** What one mail is to contain: the messages after `after`, up to `upTo`. */
export interface ClaimedAnswers {
  key: string
  after: number
  upTo: number
  sealedKey: string
  /** Message-IDs of the mails before it */
  before: string[]
  email: string
}

/**
 * Claims the answers that a visitor has not seen for one mail, under the lock of the thread: what a crash cut is
 * claimed again as it was. Null: there are none, or no address is known, or it wants no mails; then they count as done
 * only if they were seen.
 * @param key of a new mail
 */
export const claimAnswers = (db: ProjectDb, conversationId: string, key: string): Promise<ClaimedAnswers | null> =>
  db.transaction().execute(async (trx) => {
    const thread = await trx
      .selectFrom('mail_threads')
      .select(['sealed_key', 'mailed_seq', 'mailing_seq', 'mailing_key', 'message_ids'])
      .where('conversation_id', '=', conversationId)
      .forUpdate()
      .executeTakeFirst()
    if (!thread) return null
    const { rows } = await sql<UnseenRow>`
      with c as (select * from conversations where id = ${conversationId})
      select c.last_seq,
        ${emailOf} as email,
        -- the newest messages of our side are those that were not seen, as long as the visitor has written none since
        coalesce((select min(seq) from (
          select seq from messages m where m.conversation_id = c.id and m.project_id = c.project_id and m.author = 1
            and m.seq > ${thread.mailed_seq} and m.seq > coalesce((select max(seq) from messages own
              where own.conversation_id = c.id and own.project_id = c.project_id and own.author = 2), 0)
          order by seq desc limit c.visitor_unread) unseen
          join messages m using (seq) where m.conversation_id = c.id and m.project_id = c.project_id and m.sender_id is not null), 0)
          as first_answer
      from c`.execute(trx)
    const [row] = rows
    if (!row) return null
    const set = (values: { mailed_seq?: number; mailing_seq?: number; mailing_key?: string }) =>
      trx.updateTable('mail_threads').set(values).where('conversation_id', '=', conversationId).execute()
    const of = { sealedKey: thread.sealed_key, before: thread.message_ids }
    if (thread.mailing_seq !== null && thread.mailing_key !== null)
      return row.email === null
        ? null
        : {
            ...of,
            key: thread.mailing_key,
            after: thread.mailed_seq,
            upTo: thread.mailing_seq,
            email: row.email,
          }
    if (row.first_answer === 0) {
      await set({ mailed_seq: row.last_seq })
      return null
    }
    if (row.email === null) return null
    const after = row.first_answer - 1
    await set({ mailed_seq: after, mailing_seq: row.last_seq, mailing_key: key })
    return { ...of, key, after, upTo: row.last_seq, email: row.email }
  })

interface UnseenRow {
  last_seq: number
  /** null: none is known, or it wants no mails */
  email: string | null
  /** the number of the first answer of a person that was not seen; 0: none */
  first_answer: number
}

/**
 * Where the visitor is reached: as the contact, as the hand-off was told, or as a form of the conversation says. Not an
 * address that wants no mails.
 */
const emailOf = sql`(
  select found.email from (
    select 1 as rank, contacts.email from contacts
      where contacts.id = c.contact_id and contacts.project_id = c.project_id and not contacts.blocked
    union all select 2, hand_offs.email from hand_offs
      where hand_offs.conversation_id = c.id and hand_offs.project_id = c.project_id
    union all select 3, leads.email from leads
      where leads.conversation_id = c.id and leads.project_id = c.project_id and not leads.deleted) found
  where found.email <> '' and not exists (
    select from mail_refusals r where r.project_id = c.project_id
      and r.address_hash = sha256(convert_to(lower(found.email), 'UTF8')))
  order by rank limit 1)`

/** Notes that a claimed mail is sent. */
export async function settleAnswers(
  db: ProjectDb,
  conversationId: string,
  { upTo, before }: Pick<ClaimedAnswers, 'upTo' | 'before'>,
  { messageId, until }: { messageId: string; until: Date },
): Promise<void> {
  await db
    .updateTable('mail_threads')
    .set({
      mailed_seq: upTo,
      mailing_seq: null,
      mailing_key: null,
      link_until: until,
      message_ids: [...before, messageId].slice(-MOST_KEPT),
    })
    .where('conversation_id', '=', conversationId)
    .execute()
}

/** Message-IDs of a thread that are kept: those that mail programs need. */
const MOST_KEPT = 20
