import { expect, test } from 'vitest'
import { type Course, nextCourse, type Told } from './bookingCourse'

/** Booked, moved, and cancelled. */
const all: readonly Told[] = [
  { event: 'created', invitee: 'a', old: null },
  { event: 'canceled', invitee: 'a', isMove: true, next: 'b' },
  { event: 'created', invitee: 'b', old: 'a' },
  { event: 'canceled', invitee: 'b', isMove: false, next: null },
]
const moved = all.slice(0, 3)
const offered: Course = { state: 'offered', invitee: null, ended: [] }

const orders = <One>(of: readonly One[]): One[][] =>
  of.length === 0 ? [[]] : of.flatMap((one, at) => orders(of.toSpliced(at, 1)).map((rest) => [one, ...rest]))

/** What is known in the end, and what happened in between. */
function course(told: readonly Told[]) {
  const happened: string[] = []
  let known = offered
  for (const one of told) {
    const next = nextCourse(known, one)
    if (next?.happened) happened.push(next.happened)
    known = next ?? known
  }
  return { known, happened }
}

test('whatever comes first, a move ends with the new time, and a cancellation as one', () => {
  for (const order of orders(moved))
    expect(course(order).known, JSON.stringify(order)).toMatchObject({ invitee: 'b', state: 'rescheduled' })
  for (const order of orders(all))
    expect(course(order).known, JSON.stringify(order)).toMatchObject({ state: 'canceled' })
})

test('what comes again, at once or after all, changes nothing', () => {
  for (const order of orders(all)) {
    const { known, happened } = course(order)
    for (const again of all) expect(nextCourse(known, again), JSON.stringify([order, again])).toBe(null)
    expect(course(order.flatMap((one) => [one, one])).happened).toEqual(happened)
  }
  expect(course(all).happened).toEqual(['booked', 'rescheduled', 'canceled'])
})
