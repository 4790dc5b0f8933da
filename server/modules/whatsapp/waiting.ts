import type { ProjectDb } from '../../platform/database/database'
import { HELD_FOR } from '../../platform/jobs/renewed'
import type { PersonRow } from './people'

const MOST_JOINED = 20

/** A person's next messages that are not taken yet, in the order in which they were sent. */
export const waitingOf = (own: ProjectDb, personId: string) =>
  own
    .selectFrom('whatsapp_inbound')
    .selectAll()
    .where('person_id', '=', personId)
    .where('taken_at', 'is', null)
    .orderBy('sent_at')
    .orderBy('id')
    .limit(MOST_JOINED)

/** Makes the person this process's for a while; undefined: another one has them. */
export const claim = (own: ProjectDb, id: string, now: Date): Promise<PersonRow | undefined> =>
  own
    .updateTable('whatsapp_people')
    .set({ busy_until: new Date(now.getTime() + HELD_FOR) })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('busy_until', 'is', null), eb('busy_until', '<', now)]))
    .returningAll()
    .executeTakeFirst()

/** Keeps the person this process's for a while more. */
export const keep = (own: ProjectDb, id: string, now: Date) =>
  own
    .updateTable('whatsapp_people')
    .set({ busy_until: new Date(now.getTime() + HELD_FOR) })
    .where('id', '=', id)
    .where('busy_until', 'is not', null)
    .execute()

/** Whether messages of a person wait to be taken in their order. */
export async function hasMore(own: ProjectDb, id: string): Promise<boolean> {
  const row = await own
    .selectFrom('whatsapp_inbound')
    .select('id')
    .where('person_id', '=', id)
    .where('taken_at', 'is', null)
    .where('apart', '=', false)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
