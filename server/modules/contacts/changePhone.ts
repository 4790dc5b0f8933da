import type { ProjectWork } from '../../platform/database/database'
import { appendEvent } from '../../platform/events/defineEvent'
import { contactChanged } from './events'
import { aliasOf } from './merges/mergedContact'

interface Place {
  projectId: string
  /** of the contact, by which a channel knows it (`channelIdentity`) */
  verifiedId: string
}

/**
 * Gives a contact the number that a channel says the person has now. They stay the same contact; the old number still
 * finds it, as after a merge. One that is not there any more is nobody's. A number that members have entered goes as
 * well: the channel knows better.
 * @param phone digits alone
 */
export async function changePhone(
  work: ProjectWork,
  { projectId, verifiedId }: Place,
  phone: string,
  at: Date,
): Promise<void> {
  const number = `+${phone}`
  const contact = await work
    .selectFrom('contacts')
    .select(['id', 'gid', 'phone', 'aliases'])
    .where('project_id', '=', projectId)
    .where('verified_id', '=', verifiedId)
    .forUpdate()
    .executeTakeFirst()
  if (!contact || contact.phone === number) return
  const aliases = new Set(contact.aliases)
  if (contact.phone !== null) aliases.add(aliasOf('phone', contact.phone))
  aliases.delete(aliasOf('phone', number))
  await work
    .updateTable('contacts')
    .set({ phone: number, aliases: [...aliases], updated_at: at })
    .where('id', '=', contact.id)
    .where('project_id', '=', projectId)
    .execute()
  const told = { projectId, by: { actor: 'visitor' }, correlation: contact.gid, at } as const
  await appendEvent(work, contactChanged, told, { contact: contact.gid, test: false })
}
