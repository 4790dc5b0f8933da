import type { Consumer } from './platform/events/createConsumers'

/** What follows from events, in all modules. */
export const eventConsumers: readonly Consumer[] = []
