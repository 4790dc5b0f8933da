import { z } from 'zod'
import type { VendorCall } from '../defineVendor'

const DAY = 86_400_000
/** The longest span that may be asked for at once. */
const SPAN = 7 * DAY
/** How many spans are looked through. */
const SPANS = 4
/** Spans have to be in the future, by Calendly's clock. */
const AHEAD = 60_000

const timesSchema = z.object({
  collection: z.array(
    z.object({ status: z.string().catch('available'), start_time: z.iso.datetime({ offset: true }) }),
  ),
})

/** Free times of a day, and where others begin. */
export interface FreeDay {
  starts: Date[]
  /** further times of that day */
  more: Date | null
  nextDay: Date | null
}

interface Asked {
  apiUrl: string
  eventType: string
  from: Date
  now: Date
  most: number
  /** the same for times of the same day */
  dayOf: (time: Date) => string
}

/** The first day within four weeks that has free times; null for none. @throws VendorError */
export async function findFreeDay(
  call: VendorCall,
  { apiUrl, eventType, from, now, most, dayOf }: Asked,
): Promise<FreeDay | null> {
  const free: Date[] = []
  const first = Math.max(from.getTime(), now.getTime() + AHEAD)
  let start = first
  for (let span = 0; span < SPANS; span++) {
    const end = start + SPAN
    const query = {
      event_type: eventType,
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
    }
    const url = `${apiUrl}/event_type_available_times`
    const answer = await call({ method: 'GET', url, query, kind: 'read', about: 'The event type' })
    for (const { status, start_time } of timesSchema.parse(answer).collection) {
      const time = new Date(start_time)
      if (status === 'available' && time.getTime() >= first) free.push(time)
    }
    free.sort((a, b) => a.getTime() - b.getTime())
    const [one] = free
    const last = free.at(-1)
    if (one && last && dayOf(one) !== dayOf(last)) break
    start = end
  }
  const [one] = free
  if (!one) return null
  const day = free.filter((time) => dayOf(time) === dayOf(one))
  return { starts: day.slice(0, most), more: day[most] ?? null, nextDay: free[day.length] ?? null }
}
