import type { ContactField } from '../../../engine/values/contactFields'
import { userIdRule } from '../../../engine/values/rules'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import { contactCreated } from './events'

/**
 * What somebody whom a channel knows is found by. Longer than an id that a site may sign (36 characters), which
 * visitors may have chosen: nobody becomes another one by a name like `whatsapp:4477…`.
 */
export const channelIdentity = (channel: string, address: string): string =>
  `a person whom the channel itself knows, ${channel}:${address}`

interface Verified {
  projectId: string
  chatbotId: string
  /** unique in the project: what a site has signed, or a channel's name for somebody */
  verifiedId: string
  /** what the channel knows of somebody who comes for the first time */
  known?: Readonly<Partial<Record<ContactField, string>>>
}

/**
 * The contact of a person for whom a site has signed, or whom a channel knows: made when the person first comes. It is
 * found by that id alone, never by what somebody claims (tableStore.ts).
 */
export async function verifiedContact(
  db: ProjectDb,
  { clock, ids }: Pick<ServerContext, 'clock' | 'ids'>,
  { projectId, chatbotId, verifiedId, known }: Verified,
): Promise<{ id: string }> {
  const find = () =>
    db
      .selectFrom('contacts')
      .select('id')
      .where('project_id', '=', projectId)
      .where('verified_id', '=', verifiedId)
      .executeTakeFirst()
  const found = await find()
  if (found) return found
  const at = clock()
  const gid = ids()
  await db.transaction().execute(async (work) => {
    const made = await work
      .insertInto('contacts')
      .values({
        ...{ gid, project_id: projectId, chatbot_id: chatbotId, verified_id: verifiedId, custom: '{}' },
        // a site's own id is shown and searched like any other, where it has the form of one
        ...(known ?? (userIdRule.test(verifiedId) && { user_id: verifiedId })),
        ...{ created_at: at, updated_at: at },
      })
      .onConflict((again) =>
        again.columns(['project_id', 'verified_id']).where('verified_id', 'is not', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
    if (!made) return
    const by = { actor: 'visitor' } as const
    await appendEvent(work, contactCreated, { projectId, by, correlation: gid, at }, { contact: gid, test: false })
  })
  const made = await find()
  if (!made) throw new Error('A verified contact was deleted while it was made.')
  return made
}
