import { type Selectable, sql } from 'kysely'
import type { Booking, BookingSaves } from '../../../../engine/effects/bookings'
import type { ServerContext } from '../../../platform/context'
import type { ProjectWork } from '../../../platform/database/database'
import { appendEvent } from '../../../platform/events/defineEvent'
import { bookingCanceled, bookingCreated, bookingRescheduled } from '../events'
import type { BookingsTable } from '../tables'
import { nextCourse, type Told } from './bookingCourse'
import type { Invitee } from './bookings'

export type BookingRow = Selectable<BookingsTable>

interface NewBooking {
  projectId: string
  connectionId: string
  conversationId: string | null
  /** the same key is the same booking */
  key: string
  timeZone: string
  language: string
  saves: BookingSaves | undefined
}

/** What is told of a booking, and by what it is found. */
export interface ToldBooking {
  told: Told
  /** the mark that went along with it; null: none came back */
  mark: string | null
  start: string
  rescheduleUrl: string
  cancelUrl: string
}

const happenings = { booked: bookingCreated, rescheduled: bookingRescheduled, canceled: bookingCanceled } as const

/** Bookings of conversations, and what becomes of them. */
export function createBookingRows({ db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>) {
  return {
    /** The row of a call; made if it is not there. Its `gid` is the mark that goes along with the booking. */
    async open({ projectId, connectionId, conversationId, key, ...how }: NewBooking): Promise<BookingRow> {
      const own = db.forProject(projectId)
      await own
        .insertInto('bookings')
        .values({
          ...{ gid: ids(), project_id: projectId, connection_id: connectionId, conversation_id: conversationId },
          ...{ call_key: key, time_zone: how.timeZone, language: how.language, created_at: clock() },
          saves: how.saves === undefined ? null : JSON.stringify(how.saves),
        })
        .onConflict((conflict) => conflict.columns(['project_id', 'call_key']).doNothing())
        .execute()
      return own.selectFrom('bookings').selectAll().where('call_key', '=', key).executeTakeFirstOrThrow()
    },

    find: (projectId: string, gid: string): Promise<BookingRow | undefined> =>
      db.forProject(projectId).selectFrom('bookings').selectAll().where('gid', '=', gid).executeTakeFirst(),

    noteUrl: (row: BookingRow, url: string) =>
      db.forProject(row.project_id).updateTable('bookings').set({ url }).where('id', '=', row.id).execute(),

    /**
     * Takes what is told of a booking of the connection, which may be nobody's here, and tells what it changes. One
     * after the other for each booking.
     */
    take: (connection: { id: string; project_id: string }, given: ToldBooking): Promise<void> =>
      db
        .forProject(connection.project_id)
        .transaction()
        .execute(async (work) => {
          const row = (await lock(work, connection, given)) ?? (await begin(work, connection, given))
          const next = row && nextCourse(row, given.told)
          if (!row || !next) return
          const { happened, state, invitee, ended } = next
          const start_at = new Date(given.start)
          const times = { start_at, reschedule_url: given.rescheduleUrl, cancel_url: given.cancelUrl }
          await work
            .updateTable('bookings')
            .set({ state, invitee, ended: [...ended], ...(happened !== null && happened !== 'canceled' && times) })
            .where('id', '=', row.id)
            .execute()
          if (happened === null) return
          const about = { booking: row.gid, conversation: await gidOf(work, row), start: start_at.toISOString() }
          const context = { projectId: row.project_id, by: { actor: 'system' }, at: clock() } as const
          await appendEvent(work, happenings[happened], { ...context, correlation: `booking.${row.gid}` }, about)
        }),
  }

  /** The booking with the mark, or the one that had this invitee, or the one before a move. */
  async function lock(
    work: ProjectWork,
    { id }: { id: string },
    { mark, told }: ToldBooking,
  ): Promise<BookingRow | undefined> {
    const invitees = [told.invitee, ...(told.event === 'created' && told.old !== null ? [told.old] : [])]
    return work
      .selectFrom('bookings')
      .selectAll()
      .where('connection_id', '=', id)
      .where(({ or, eb }) => or([...(mark === null ? [] : [eb('gid', '=', mark)]), eb('invitee', 'in', invitees)]))
      .orderBy(sql`gid is not distinct from ${mark}`, 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst()
  }

  /** A booking by a page whose link had the conversation as its mark: an agent's action shows it, asking nobody. */
  async function begin(
    work: ProjectWork,
    { id, project_id }: { id: string; project_id: string },
    { mark, told }: ToldBooking,
  ): Promise<BookingRow | undefined> {
    const conversation = await work
      .selectFrom('conversations')
      .select('id')
      .where('gid', '=', mark ?? '')
      .executeTakeFirst()
    if (!conversation) return undefined
    const call_key = `page.${told.invitee}`
    await work
      .insertInto('bookings')
      .values({
        ...{ gid: ids(), project_id, connection_id: id, conversation_id: conversation.id, call_key },
        ...{ time_zone: 'UTC', language: '', saves: null, created_at: clock() },
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'call_key']).doNothing())
      .execute()
    return work.selectFrom('bookings').selectAll().where('call_key', '=', call_key).forUpdate().executeTakeFirst()
  }
}
export type BookingRows = ReturnType<typeof createBookingRows>

async function gidOf(work: ProjectWork, { conversation_id }: BookingRow): Promise<string | null> {
  if (conversation_id === null) return null
  const row = await work.selectFrom('conversations').select('gid').where('id', '=', conversation_id).executeTakeFirst()
  return row?.gid ?? null
}

/** That somebody is booked with the mark, by what Calendly answers. */
export const madeBooking = (
  mark: string,
  { uri, cancel_url, reschedule_url }: Invitee,
  start: string,
): ToldBooking => ({
  told: { event: 'created', invitee: uri, old: null },
  mark,
  start,
  rescheduleUrl: reschedule_url,
  cancelUrl: cancel_url,
})

/** What is known of a booking; null while nobody is booked. */
export function bookingOf(row: BookingRow, label: (time: Date) => string): Booking | null {
  if ((row.state !== 'booked' && row.state !== 'rescheduled') || !row.start_at) return null
  const start = row.start_at.toISOString()
  const [cancelUrl, rescheduleUrl] = [row.cancel_url ?? '', row.reschedule_url ?? '']
  return { start, label: label(row.start_at), cancelUrl, rescheduleUrl }
}
