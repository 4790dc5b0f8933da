import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/tables'

/**
 * Call at each start, after the migrations. Events are ordered by transaction numbers, which restart when a dump is
 * restored into another server: events written from then on belong to the next epoch.
 */
export async function keepEpoch(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ event_epoch: number }>`
    with server as (select system_identifier as id from pg_control_system())
    update installation set event_epoch = event_epoch + (event_server is not null)::integer, event_server = server.id
    from server where event_server is distinct from server.id returning event_epoch`.execute(db)
  const [moved] = rows
  if (moved) await sql`alter table events alter column epoch set default ${sql.lit(moved.event_epoch)}`.execute(db)
}
