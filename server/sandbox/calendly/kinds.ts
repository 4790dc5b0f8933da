import type { RecordKind } from '../pages/records'
import type { Bookings } from './bookings'
import { invalid } from './errors'
import { schedulingUrl } from './present'
import { type CalendlyState, findBooking, findEventType } from './state'

/** @returns a page of bookings and one of kinds of events */
export const calendlyKinds = (state: CalendlyState, bookings: Bookings): RecordKind[] => [
  {
    key: 'bookings',
    title: 'Bookings',
    columns: [
      { name: 'what', label: 'What', isFixed: true },
      { name: 'when', label: 'When (UTC)', isFixed: true },
      { name: 'who', label: 'Who', isFixed: true },
      { name: 'state', label: 'State', isFixed: true },
      { name: 'page', label: 'Page to move it', isFixed: true },
    ],
    empty: 'Nobody has booked yet. Open the page of a kind of event to book.',
    rows: () =>
      state.bookings.map(({ uuid, eventType, start, canceled, invitee }) => ({
        id: uuid,
        values: {
          what: eventType.name,
          when: start.toISOString().slice(0, 16).replace('T', ' '),
          who: `${invitee.name} (${invitee.email})`,
          state: canceled ? 'cancelled' : 'booked',
          page: canceled ? '' : `${state.origin()}/reschedulings/${invitee.uuid}`,
        },
      })),
    actions: [
      { name: 'cancel', label: 'Cancel', run: (id) => void bookings.cancel(findBooking(state, id), 'host', '') },
    ],
  },
  {
    key: 'event-types',
    title: 'Kinds of events',
    columns: [
      { name: 'name', label: 'Name' },
      { name: 'minutes', label: 'Minutes' },
      { name: 'active', label: 'Can be booked', options: ['yes', 'no'] },
      { name: 'page', label: 'Page to book it', isFixed: true },
    ],
    empty: 'There is no kind of event yet.',
    rows: () =>
      state.eventTypes.map((eventType) => ({
        id: eventType.uuid,
        values: {
          name: eventType.name,
          minutes: String(eventType.minutes),
          active: eventType.active ? 'yes' : 'no',
          page: schedulingUrl(state, eventType),
        },
      })),
    add(values) {
      const { name, minutes, active } = readEventType(values)
      const slug = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${state.eventTypes.length + 1}`
      state.eventTypes.push({ uuid: state.random.text(16), slug, questions: [], name, minutes, active })
    },
    change: (id, values) => void Object.assign(findEventType(state, id), readEventType(values)),
  },
]

function readEventType({ name = '', minutes = '', active }: Record<string, string>) {
  const length = Number(minutes)
  if (name.trim() === '') throw invalid('name', 'Give it a name.')
  if (!Number.isInteger(length) || length < 5 || length > 480)
    throw invalid('minutes', `“${minutes}” minutes is not possible: give a whole number from 5 to 480.`)
  return { name: name.trim(), minutes: length, active: active !== 'no' }
}
