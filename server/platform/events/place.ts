import { sql } from 'kysely'

/** An event that comes after what a consumer has handled: both tables in the query. */
export const isBehind = sql<boolean>`(events.epoch, events.tx, events.id)
  > (event_consumers.epoch, event_consumers.tx, event_consumers.position)`

/**
 * An event that all those before it are visible with. Transaction numbers are given when a transaction first writes, and it may commit
 * long after a later one: what is below the oldest that is under way is complete. Earlier epochs are.
 */
export const isSettled = sql<boolean>`(events.tx < pg_snapshot_xmin(pg_current_snapshot())
  or events.epoch < (select event_epoch from installation))`

/** An event that does not come after another one. */
export const isUpTo = ({ epoch, tx, id }: { epoch: number; tx: string; id: string }) =>
  sql<boolean>`(events.epoch, events.tx, events.id) <= (${epoch}::integer, ${tx}::xid8, ${id}::bigint)`
