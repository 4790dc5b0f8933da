import { z } from 'zod'
import { type BookCall, bookingsEffect, type TimesCall } from '../../../../engine/effects/bookings'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import { parseEmail, ruleMessages } from '../../../../engine/values/rules'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import type { Wait } from '../calls/pace'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { Writes } from '../writes'
import { type BookingId, idOf, openBookings } from './bookings'
import { findFreeDay } from './freeTimes'
import { createTimeWords } from './timeWords'
import { calendly } from './vendor'

type BookingContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'>
interface Parts {
  accounts: Accounts
  writes: Writes
  wait: Wait
}

/** A booking whose answer got lost is looked for so much later, in ms: the request may arrive late. */
const SEARCH_DELAY = 3_000

/** Handles `bookings`: each carries a mark made of the call's key, which is looked for before it is made again. */
export function createBookingsHandler(
  { config, clock }: Pick<ServerContext, 'config' | 'clock'>,
  { accounts, writes, wait }: Parts,
) {
  const { apiUrl } = config.vendors.calendly
  const open = ({ connection }: { connection: string }, { project, signal }: BookingContext) =>
    accounts.open(calendly, project.id, connection, signal)

  async function times(request: TimesCall, context: BookingContext) {
    const { dayOf, label } = createTimeWords(request.timeZone, request.language)
    const { call } = await open(request, context)
    const now = clock()
    const from = request.from === null ? now : new Date(request.from)
    const day = await findFreeDay(call, { ...request, apiUrl, from, now, dayOf })
    if (!day) return { ok: false, error: 'not-found' }
    return {
      ok: true,
      times: day.starts.map((start) => ({ start: start.toISOString(), label: label(start) })),
      more: day.more?.toISOString() ?? null,
      nextDay: day.nextDay?.toISOString() ?? null,
    }
  }

  async function book(request: BookCall, context: BookingContext) {
    const { zone, label } = createTimeWords(request.timeZone, request.language)
    requireEmail(request)
    const { call, account } = await open(request, context)
    const bookings = openBookings(call, apiUrl, account.id)
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
        async carryOut(mark) {
          try {
            return learn(await bookings.book(request, zone, mark.value))
          } catch (error) {
            // who took the time may have been this call, whose answer got lost
            const isTaken = error instanceof VendorError && error.code === 'taken'
            const own = isTaken ? await bookings.find(request, mark.value) : null
            if (!own) throw error
            return learn(own)
          }
        },
      }),
      async recover({ mark }) {
        await wait(SEARCH_DELAY, context.signal)
        const own = await bookings.find(request, mark.value)
        return own && { answer: learn(own) }
      },
    })
    const { cancel_url, reschedule_url } = known.invitee ?? (await bookings.get(id))
    const start = new Date(request.start)
    const booking = { start: request.start, label: label(start), cancelUrl: cancel_url, rescheduleUrl: reschedule_url }
    const testEffects = [shown(request, true)]
    return { ok: true, booking, ...(context.writes !== 'real' && { testEffects }) }
  }

  return handleEffect(bookingsEffect).by({
    carryOut: (request, context: BookingContext) =>
      answered<object & { ok: boolean }>(() =>
        request.action === 'times' ? times(request, context) : book(request, context),
      ),
    simulate: (request, context: BookingContext) =>
      answered<object & { ok: boolean }>(async () => {
        if (request.action === 'times') return times(request, context)
        const { label } = createTimeWords(request.timeZone, request.language)
        requireEmail(request)
        const booking = {
          start: request.start,
          label: label(new Date(request.start)),
          cancelUrl: '',
          rescheduleUrl: '',
        }
        return { ok: true, booking, testEffects: [shown(request, false)] }
      }),
  })
}

function requireEmail({ email }: BookCall): void {
  if (parseEmail(email.trim()) === null) throw new VendorError('refused', ruleMessages.email)
}

const shown = ({ start, name, email, phone }: BookCall, carriedOut: boolean): TestEffect => ({
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
    if (error instanceof VendorError) return { ok: false, error: error.code === 'taken' ? 'taken' : error.message }
    if (error instanceof z.ZodError) return { ok: false, error: new VendorError('unreadable', calendly.name).message }
    throw error
  }
}
