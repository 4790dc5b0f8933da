import { z } from 'zod'
import {
  type BookCall,
  bookingsEffect,
  type FindCall,
  type LinkCall,
  type TimesCall,
} from '../../../../engine/effects/bookings'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import { parseEmail, ruleMessages } from '../../../../engine/values/rules'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import type { Wait } from '../calls/pace'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { Writes } from '../writes'
import { type BookingRows, bookingOf, madeBooking } from './bookingRows'
import { type BookingId, ByPageOnly, idOf, openBookings } from './bookings'
import { findFreeDay } from './freeTimes'
import type { Hooks } from './hooks'
import { linkFor } from './linkFor'
import { createTimeWords } from './timeWords'
import { calendly } from './vendor'

export type BookingContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'> & {
  /** null: the playground */
  conversation: Pick<CallContext['conversation'], 'id'> | null
}
interface Parts {
  accounts: Accounts
  writes: Writes
  rows: BookingRows
  hooks: Pick<Hooks, 'problemOf'>
  wait: Wait
}

/** A booking whose answer got lost is looked for so much later, in ms: the request may arrive late. */
const SEARCH_DELAY = 3_000
const NOT_FOUND = { ok: false, error: 'not-found' } as const

/**
 * Handles `bookings`: each carries a mark, which is looked for before it is made again, and by which what Calendly
 * tells later comes back to the conversation.
 */
export function createBookingsHandler(
  { config, clock }: Pick<ServerContext, 'config' | 'clock'>,
  { accounts, writes, rows, hooks, wait }: Parts,
) {
  const apiUrl = () => config.vendors.calendly.apiUrl

  async function open({ connection }: { connection: string }, { project, signal }: BookingContext) {
    const { call, account, row } = await accounts.open(calendly, project.id, connection, signal)
    return { call, row, bookings: openBookings(call, apiUrl(), account.id) }
  }

  async function times(request: TimesCall, context: BookingContext) {
    const { dayOf, label } = createTimeWords(request.timeZone, request.language)
    const { call, bookings } = await open(request, context)
    if (request.from === null && (await bookings.eventType(request.eventType)).asksMore)
      return { ok: false, error: 'link' }
    const now = clock()
    const from = request.from === null ? now : new Date(request.from)
    const day = await findFreeDay(call, { ...request, apiUrl: apiUrl(), from, now, dayOf })
    if (!day) return NOT_FOUND
    return {
      ok: true,
      times: day.starts.map((start) => ({ start: start.toISOString(), label: label(start) })),
      more: day.more?.toISOString() ?? null,
      nextDay: day.nextDay?.toISOString() ?? null,
    }
  }

  const rowOf = (request: BookCall | LinkCall, connectionId: string, context: BookingContext) =>
    rows.open({
      ...{ projectId: context.project.id, connectionId, conversationId: context.conversation?.id ?? null },
      ...{ key: context.idempotencyKey, timeZone: request.timeZone, language: request.language, saves: request.saves },
    })

  async function book(request: BookCall, context: BookingContext) {
    const { zone, label } = createTimeWords(request.timeZone, request.language)
    requireEmail(request)
    const { row: connection, bookings } = await open(request, context)
    const row = await rowOf(request, connection.id, context)
    const known: { invitee?: Awaited<ReturnType<typeof bookings.book>> } = {}
    const learn = (invitee: NonNullable<typeof known.invitee>): BookingId => {
      known.invitee = invitee
      return idOf(invitee)
    }
    const id = await writes.once<BookingId>({
      projectId: context.project.id,
      key: context.idempotencyKey,
      target: 'calendly/booking',
      leavesMark: false,
      prepare: async () => ({
        answer: '/',
        async carryOut() {
          try {
            return learn(await bookings.book(request, zone, row.gid))
          } catch (error) {
            // who took the time may have been this call, whose answer got lost
            const isTaken = error instanceof VendorError && error.code === 'taken'
            const own = isTaken ? await bookings.find(request, row.gid) : null
            if (!own) throw error
            return learn(own)
          }
        },
      }),
      async recover() {
        await wait(SEARCH_DELAY, context.signal)
        const own = await bookings.find(request, row.gid)
        return own && { answer: learn(own) }
      },
    })
    const invitee = known.invitee ?? (await bookings.get(id))
    await rows.take(connection, madeBooking(row.gid, invitee, request.start))
    const { cancel_url, reschedule_url } = invitee
    const start = new Date(request.start)
    const booking = { start: request.start, label: label(start), cancelUrl: cancel_url, rescheduleUrl: reschedule_url }
    return { ok: true, booking, ...(context.writes !== 'real' && { testEffects: [shown(request, true)] }) }
  }

  async function link(request: LinkCall, context: BookingContext) {
    createTimeWords(request.timeZone, request.language)
    const { row: connection, bookings } = await open(request, context)
    const row = await rowOf(request, connection.id, context)
    const page = row.url ?? (await bookings.link(request.eventType))
    if (row.url === null) await rows.noteUrl(row, page)
    const problem = await hooks.problemOf(connection)
    const note = problem && `Calendly does not tell of this booking, so the visitor has to. ${problem}`
    return { ok: true, link: { url: linkFor(page, request, row.gid), event: row.gid }, ...(note && { note }) }
  }

  async function find(request: FindCall, context: BookingContext) {
    const { label } = createTimeWords(request.timeZone, request.language)
    const row = await rows.find(context.project.id, request.event)
    if (!row) return NOT_FOUND
    if (row.state === 'offered') {
      const { row: connection, bookings } = await open(request, context)
      const found = await bookings.findNew(row.gid, row.created_at, clock())
      if (found) await rows.take(connection, madeBooking(row.gid, found.invitee, found.start))
    }
    const present = await rows.find(context.project.id, request.event)
    const booking = present && bookingOf(present, label)
    return booking ? { ok: true, booking } : NOT_FOUND
  }

  return handleEffect(bookingsEffect).by({
    carryOut: (request, context: BookingContext) =>
      answered<object & { ok: boolean }>(() => {
        switch (request.action) {
          case 'times':
            return times(request, context)
          case 'book':
            return book(request, context)
          case 'link':
            return link(request, context)
          case 'find':
            return find(request, context)
        }
      }),

    simulate: (request, context: BookingContext) =>
      answered<object & { ok: boolean }>(async () => {
        if (request.action === 'times') return times(request, context)
        const { label } = createTimeWords(request.timeZone, request.language)
        if (request.action === 'link') {
          const { bookings } = await open(request, context)
          // the page that anybody may open, instead of one for a single booking
          const { url } = await bookings.eventType(request.eventType)
          return { ok: true, link: { url, event: SIMULATED } }
        }
        if (request.action === 'book') requireEmail(request)
        const start = request.action === 'book' ? request.start : clock().toISOString()
        const who = request.action === 'book' ? request : { start, name: '', email: '', phone: '' }
        const booking = { start, label: label(new Date(start)), cancelUrl: '', rescheduleUrl: '' }
        return { ok: true, booking, testEffects: [shown(who, false)] }
      }),
  })
}

/** The event of a link in a test that changes nothing outside: nothing is ever told of it. */
const SIMULATED = 'simulatedbooking'

function requireEmail({ email }: BookCall): void {
  if (parseEmail(email.trim()) === null) throw new VendorError('refused', ruleMessages.email)
}

const shown = (
  { start, name, email, phone }: Pick<BookCall, 'start' | 'name' | 'email' | 'phone'>,
  carriedOut: boolean,
): TestEffect => ({
  type: 'record',
  carriedOut,
  vendor: calendly.name,
  action: 'create',
  of: 'booking',
  count: 1,
  place: calendly.name,
  fields: { start, name, email, phone },
})

async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer | { ok: false; error: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ByPageOnly) return { ok: false, error: 'link' }
    if (error instanceof VendorError) return { ok: false, error: error.code === 'taken' ? 'taken' : error.message }
    if (error instanceof z.ZodError) return { ok: false, error: new VendorError('unreadable', calendly.name).message }
    throw error
  }
}
