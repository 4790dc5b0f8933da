import type { Selectable } from 'kysely'
import type { Db } from '../../platform/database/database'
import type { ConnectionRow } from './connections'
import type { WhatsappPeopleTable } from './tables'

export type PersonRow = Selectable<WhatsappPeopleTable>

/** How WhatsApp names somebody: people who hide their number have a user id alone. */
export interface PersonId {
  userId: string | null
  phone: string | null
  name: string
}

const HOUR = 3_600_000
const WINDOW_HOURS = 24

/**
 * The person of a message, who is known by the user id first, else by the number, and has written at that time. Their
 * address in conversations stays what they were first known by: the number, which the team can read, else the user id.
 */
export async function notePerson(
  db: Db,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  { userId, phone, name }: PersonId,
  wroteAt: Date,
): Promise<PersonRow> {
  const known = await db
    .selectFrom('whatsapp_people')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where((eb) =>
      eb.or([
        ...(userId === null ? [] : [eb('user_id', '=', userId)]),
        // a row of somebody else who had the number before is not theirs
        ...(phone === null
          ? []
          : [userId === null ? eb('phone', '=', phone) : eb.and([eb('phone', '=', phone), eb('user_id', 'is', null)])]),
      ]),
    )
    .orderBy(
      (eb) => eb('user_id', '=', userId),
      (order) => order.desc().nullsLast(),
    )
    .limit(1)
    .executeTakeFirst()
  const seen = {
    ...(name !== '' && { name }),
    ...(userId !== null && { user_id: userId }),
    ...(phone !== null && { phone }),
  }
  if (known) {
    const isNewer = wroteAt > known.wrote_at
    const row = await db
      .updateTable('whatsapp_people')
      .set({ ...seen, ...(isNewer && { wrote_at: wroteAt, window_closed: false }) })
      .where('id', '=', known.id)
      .where('project_id', '=', project_id)
      .returningAll()
      .executeTakeFirst()
    if (row) return row
  }
  const address = (await isOthers(db, { id, project_id }, phone)) ? userId : (phone ?? userId)
  return db
    .insertInto('whatsapp_people')
    .values({
      ...{ project_id, connection_id: id, user_id: userId, phone, name, wrote_at: wroteAt },
      address: address ?? '',
    })
    .onConflict((conflict) => conflict.columns(['connection_id', 'address']).doUpdateSet(seen))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether a number is the address of somebody else, who had it before: a number goes to another person some day. */
async function isOthers(db: Db, { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>, phone: string | null) {
  if (phone === null) return false
  const row = await db
    .selectFrom('whatsapp_people')
    .select('id')
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where('address', '=', phone)
    .where('user_id', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Until when anything may be sent to them; afterwards templates alone. */
export const windowEnd = ({ wrote_at, window_closed }: PersonRow): Date =>
  window_closed ? wrote_at : new Date(wrote_at.getTime() + WINDOW_HOURS * HOUR)
