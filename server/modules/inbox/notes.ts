import { mentionsIn } from '../../../engine/values/mentions'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import { noteAdded } from './events'
import type { FoundConversation } from './findConversation'
import { answerersOf } from './members'
import { nameOf } from './presenter'

/** Adds a note for colleagues; the same client id again adds none. Who is mentioned finds it in a view of their own. */
export async function writeNote(
  db: Db,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  row: FoundConversation,
  note: { body: string; clientId: string; userId: string },
  origin: EventContext,
): Promise<void> {
  const { id, project_id } = row
  const people = await answerersOf(db, project_id)
  const gids = mentionsIn(note.body)
  const mentioned = people.filter(({ gid }) => gids.includes(gid))
  const author = people.find(({ id }) => id === note.userId)
  const gid = ids()
  await db.transaction().execute(async (work) => {
    const { last_seq } = await work
      .selectFrom('conversations')
      .select('last_seq')
      .where('id', '=', id)
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    const added = await work
      .insertInto('conversation_notes')
      .values({
        gid,
        project_id,
        conversation_id: id,
        author_id: note.userId,
        author_name: nameOf(author?.first_name ?? null, author?.last_name ?? null),
        client_id: note.clientId,
        body: note.body,
        after_seq: last_seq,
        created_at: clock(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return
    if (mentioned.length > 0)
      await work
        .insertInto('note_mentions')
        .values(mentioned.map((person) => ({ note_id: added.id, project_id, user_id: person.id, conversation_id: id })))
        .execute()
    const mentions = mentioned.map((person) => person.id)
    await appendEvent(work, noteAdded, origin, { conversation: row.gid, note: gid, mentions })
  })
}
