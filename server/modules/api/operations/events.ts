import { readEventLog } from '../../../contracts/eventLog'
import { list, type Operation } from '../operation'

export const eventOperations: readonly Operation[] = [
  list(readEventLog, {
    id: 'listEvents',
    path: '/events',
    tag: 'Events',
    summary: 'List what happened',
    description:
      'The oldest first, for thirteen months: the same as webhooks tell. To go on later, begin with the `cursor` of the last event that you have. An event shows up as soon as no earlier one can, which is at once unless a long change is under way. People are named only if the holder of the key may read conversations and contacts.',
    items: 'events',
    cursor: 'cursor',
    next: ({ next }) => next,
  }),
]
