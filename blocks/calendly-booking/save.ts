import type { Booking, BookingSaves } from '../../engine/effects/bookings'
import type { Effect } from '../../engine/flow/effects'
import { setVariable } from '../../engine/flow/steps'
import type { CalendlyBookingData } from './schema'

/** Saves a booking that was made. */
export function* save(data: CalendlyBookingData, booking: Booking): Generator<Effect, void, unknown> {
  if (data.saveTimeTo) yield* setVariable(data.saveTimeTo, booking.label)
  if (data.saveStartTo) yield* setVariable(data.saveStartTo, booking.start)
  if (data.saveRescheduleTo) yield* setVariable(data.saveRescheduleTo, booking.rescheduleUrl)
  if (data.saveCancelTo) yield* setVariable(data.saveCancelTo, booking.cancelUrl)
  if (data.saveStateTo) yield* setVariable(data.saveStateTo, 'booked')
}

/** What is to be set anew when the booking is moved or cancelled; nothing where nothing is saved. */
export function savesOf(data: CalendlyBookingData): { saves?: BookingSaves } {
  const saves = {
    time: data.saveTimeTo,
    start: data.saveStartTo,
    reschedule: data.saveRescheduleTo,
    cancel: data.saveCancelTo,
    state: data.saveStateTo,
  }
  return Object.values(saves).every((id) => id === null) ? {} : { saves }
}
