import { sql } from 'kysely'

/** Condition: the event comes after a consumer's cursor. Both tables are in the query. */
export const isBehind = sql<boolean>`(events.epoch, events.tx, events.id)
  > (event_consumers.epoch, event_consumers.tx, event_consumers.position)`

/**
 * Condition: no event before this one can still appear. Transactions get their number at their first write, and may
 * commit long after a later one: numbers below the oldest running transaction are complete, and so are earlier epochs.
 */
export const isSettled = sql<boolean>`(events.tx < pg_snapshot_xmin(pg_current_snapshot())
  or events.epoch < (select event_epoch from installation))`

/** Where an event is in the log. */
export interface Place {
  epoch: number
  tx: string
  id: string
}

const placeOf = ({ epoch, tx, id }: Place) => sql`(${epoch}::integer, ${tx}::xid8, ${id}::bigint)`

/** Condition: the event does not come after the given one. */
export const isUpTo = (place: Place) => sql<boolean>`(events.epoch, events.tx, events.id) <= ${placeOf(place)}`

/** Condition: the event comes after the given one. */
export const isAfter = (place: Place) => sql<boolean>`(events.epoch, events.tx, events.id) > ${placeOf(place)}`

/** The same for who can't read the installation's row, and knows the present epoch. */
export const isSettledIn = (epoch: number) =>
  sql<boolean>`(events.tx < pg_snapshot_xmin(pg_current_snapshot()) or events.epoch < ${epoch}::integer)`
