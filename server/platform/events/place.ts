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

/** Condition: the event does not come after the given one. */
export const isUpTo = ({ epoch, tx, id }: { epoch: number; tx: string; id: string }) =>
  sql<boolean>`(events.epoch, events.tx, events.id) <= (${epoch}::integer, ${tx}::xid8, ${id}::bigint)`

/** The same for who can't read the installation's row, and knows the present epoch. */
export const isSettledIn = (epoch: number) =>
  sql<boolean>`(events.tx < pg_snapshot_xmin(pg_current_snapshot()) or events.epoch < ${epoch}::integer)`
