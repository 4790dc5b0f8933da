import type { BookCall } from '../../engine/effects/bookings'
import { type BookingId, idOf, openBookings } from '../modules/integrations/calendly/bookings'
import { findFreeDay } from '../modules/integrations/calendly/freeTimes'
import { createTimeWords } from '../modules/integrations/calendly/timeWords'
import { calendly } from '../modules/integrations/calendly/vendor'
import { connectByHand } from './connect'
import { headersLike } from './headers'
import type { VendorCheck } from './vendorCheck'

/** Calendly, by a personal token. */
export const calendlyCheck: VendorCheck = {
  name: 'Calendly',
  variables: [
    { name: 'CALENDLY_TOKEN', what: 'a personal access token', isSecret: true },
    { name: 'CALENDLY_EMAIL', what: 'an address of yours, which is invited and gets Calendly’s mails' },
    {
      name: 'CALENDLY_EVENT_TYPE',
      what: 'which kind of event is booked, by its name; else the first',
      isOptional: true,
    },
  ],
  writes:
    'one booking of a free time, which is cancelled; Calendly mails both to the address that is invited, and to you',
  async open(means) {
    const { call, callAsStranger, account } = await connectByHand(means, calendly, {
      token: means.value('CALENDLY_TOKEN'),
    })
    const settings = means.config.vendors
    const { apiUrl } = settings.calendly
    const bookings = openBookings(call, apiUrl, account.id)

    return {
      account: account.name,
      async run({ report, mark, afterwards }) {
        const cancelAfterwards = (id: BookingId) => {
          const url = `${apiUrl}/scheduled_events/${id.split('/')[0]}/cancellation`
          const json = { reason: 'A check of Parley' }
          afterwards(`booking ${id}, cancelled`, () => call({ method: 'POST', url, json, kind: 'write' }))
        }
        const wanted = means.value('CALENDLY_EVENT_TYPE')
        const type = await report.see('kinds of events are listed', 'one that can be booked', async () => {
          const types = (await calendly.choices['event-types']?.(call, { settings, within: [], search: '' })) ?? []
          const found = wanted === '' ? types[0] : types.find(({ label }) => label.startsWith(wanted))
          const seen = found?.label ?? `not among ${types.map(({ label }) => label).join(', ')}`
          return { seen, holds: found !== undefined, ...(found && { value: found.id }) }
        })
        await report.see('limits, by the answer’s headers', 'told only', async () => ({
          seen:
            headersLike(means.last(), /ratelimit/i)
              .map((pair) => pair.join(': '))
              .join(', ') || 'none',
          holds: null,
        }))
        if (type === undefined) return
        const { dayOf } = createTimeWords('UTC', 'en')
        const start = await report.see('free times', 'one within four weeks', async () => {
          const now = means.clock()
          const day = await findFreeDay(call, { apiUrl, eventType: type, from: now, now, most: 10, dayOf })
          const last = day?.starts.at(-1)?.toISOString()
          return { seen: last ?? 'none', holds: last !== undefined, ...(last !== undefined && { value: last }) }
        })
        if (start === undefined) return
        const asked: BookCall = {
          action: 'book',
          connection: '',
          eventType: type,
          timeZone: 'UTC',
          language: 'en',
          start,
          name: `Parley ${mark}`,
          email: means.value('CALENDLY_EMAIL'),
          phone: '',
        }
        const booked = await report.see('a time is booked', 'with links to move and cancel it', async () => {
          const invitee = await bookings.book(asked, 'UTC', mark)
          const id = idOf(invitee)
          cancelAfterwards(id)
          const hasLinks = URL.canParse(invitee.cancel_url) && URL.canParse(invitee.reschedule_url)
          return { seen: id, holds: hasLinks, value: id }
        })
        if (booked === undefined) return
        await report.see('the booking is found by its mark', 'that booking', async () => {
          const found = await bookings.find(asked, mark)
          return { seen: found ? idOf(found) : 'none', holds: found !== null && idOf(found) === booked }
        })
        await report.refused('the same time again', 'taken', async () => {
          cancelAfterwards(idOf(await bookings.book(asked, 'UTC', `${mark}-2`)))
        })
        await report.refused('a token that is none', 'reconnect', () => calendly.check(callAsStranger, settings))
      },
    }
  },
}
