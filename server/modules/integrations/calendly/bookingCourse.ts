import type { BookingState } from '../../../../engine/effects/bookings'

/** What is known of a booking: who is booked now, as Calendly names them, and who was before. */
export interface Course {
  state: BookingState | 'offered'
  invitee: string | null
  ended: readonly string[]
}

/** What Calendly tells of it. A move is told as two: the old one is cancelled for a new one (`next`), which is made. */
export type Told =
  | { event: 'created'; invitee: string; old: string | null }
  | { event: 'canceled'; invitee: string; isMove: boolean; next: string | null }

/** Those who were booked before are known so far back. */
const REMEMBERED = 50

/**
 * What follows from what was told, in whatever order and however often it comes: an invitee is made once, and once it
 * is over it stays so.
 * @returns the new course, with `happened` where it is news; null: nothing changes
 */
export function nextCourse(known: Course, told: Told): (Course & { happened: BookingState | null }) | null {
  const { invitee } = told
  if (known.ended.includes(invitee)) return null
  if (told.event === 'created') {
    if (known.invitee === invitee) return null
    const isMove = told.old !== null || (known.invitee !== null && known.state !== 'canceled')
    const state = isMove ? 'rescheduled' : 'booked'
    return { state, invitee, ended: add(known.ended, known.invitee, told.old), happened: state }
  }
  const ended = add(known.ended, invitee)
  // after the first half of a move, the other one is of who takes its place
  const isMoving = known.state !== 'canceled' && known.invitee !== null && known.ended.includes(known.invitee)
  const isCurrent = known.invitee === null || known.invitee === invitee || isMoving
  // the new one of a move is told by itself, unless it is over already
  const isOver = told.next !== null && known.ended.includes(told.next)
  if ((told.isMove && !isOver) || !isCurrent) return { ...known, ended, happened: null }
  return { state: 'canceled', invitee, ended, happened: 'canceled' }
}

const add = (ended: readonly string[], ...invitees: (string | null)[]): string[] =>
  [...new Set([...ended, ...invitees.filter((one) => one !== null)])].slice(-REMEMBERED)
