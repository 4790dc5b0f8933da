import type { Insertable } from 'kysely'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { searchedText } from '../../../../engine/run/recordingWords'
import { hashToken, newToken } from '../../../access/tokens'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { messagesOf, samples, silentContacts } from './sampleConversations'

type Person = (typeof silentContacts)[number]

/**
 * Writes the sample's contacts and conversations. They are no events: nobody is told of them, and they are in no
 * figures.
 * @param recordings the kept conversations of the sample's template
 */
export async function insertSamples(
  trx: ProjectWork,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  place: { project_id: string; chatbot_id: string },
  recordings: readonly Recording[],
): Promise<void> {
  const now = clock()
  for (const { name, email, company, tags } of silentContacts) await addContact({ name, email, company, tags }, now)
  for (const { recording, person, minutesAgo, status } of samples) {
    const kept = recordings[recording]
    if (!kept) throw new Error(`The sample's template has no conversation ${recording}`)
    const begun = new Date(now.getTime() - minutesAgo * 60_000)
    const at = (seconds: number) => new Date(begun.getTime() + seconds * 1_000)
    const messages = messagesOf(kept)
    const last = at(messages.at(-1)?.seconds ?? 0)
    const contact = await addContact(person, begun)
    const isWaiting = status === 'waiting'
    const { id } = await trx
      .insertInto('conversations')
      .values({
        ...{ ...place, gid: ids(), environment: 'sharing', status, contact_id: contact, language: 'en' },
        // nobody has its token
        ...{ token_hash: hashToken(newToken()), started_by: null, start_client_id: ids(), last_client_id: null },
        ...{ last_seq: messages.length, team_unread: isWaiting ? 1 : 0, waiting_since: isWaiting ? last : null },
        ...{ analytics: false, created_at: begun, updated_at: last },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('messages')
      .values(
        messages.map(({ author, content, blockId, ownWords, seconds }, index) => ({
          ...{ conversation_id: id, project_id: place.project_id, seq: index + 1, author, block_id: blockId },
          ...{ content: JSON.stringify(content), words: searchedText(content), own_words: ownWords },
          ...{ client_id: null, created_at: at(seconds) },
        })),
      )
      .execute()
  }

  async function addContact({ name, email, company, tags }: Person, at: Date): Promise<string> {
    const values = {
      ...{ ...place, gid: ids(), name, email, company, tags, custom: '{}', sample: true },
      // as contacts of tests: in no figures, and no broadcast goes to them
      ...{ test: true, created_at: at, updated_at: at },
    } as Insertable<Database['contacts']>
    const { id } = await trx.insertInto('contacts').values(values).returning('id').executeTakeFirstOrThrow()
    return id
  }
}
