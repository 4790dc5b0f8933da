import type pg from 'pg'

export interface TableOfCatalogue {
  name: string
  /** those that have values of their own: generated ones follow from others */
  columns: string[]
}

/** Text that means the same to every server; and no limit of time, which is meant for requests. */
export const SETTINGS = `set datestyle to 'ISO'; set intervalstyle to 'postgres'; set extra_float_digits to 3;
  set timezone to 'UTC'; set client_encoding to 'UTF8'; set bytea_output to 'hex'; set statement_timeout to 0;
  set lock_timeout to 0; set idle_in_transaction_session_timeout to 0`

/** What is made anew by the migrations of the target. */
const MADE_BY_MIGRATIONS = 'schema_migrations'

/** All tables, as the database names them: a partitioned one stands for its parts. */
export async function tablesOf(client: pg.Client): Promise<TableOfCatalogue[]> {
  const { rows } = await client.query<TableOfCatalogue>(
    `select relname::text as name, array_agg(attname::text order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and attnum > 0 and not attisdropped and attgenerated = '' and relname <> $1
      group by relname order by relname`,
    [MADE_BY_MIGRATIONS],
  )
  return rows
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** The foreign keys, without those that a partition has by its table. */
export async function foreignKeysOf(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select relname::text as table, conname::text as name, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and conparentid = 0 and relnamespace = current_schema()::regnamespace order by 1, 2`,
  )
  return rows
}

/** The migrations that have run, the first one first; none in a database that is not Parley's. */
export async function migrationsOf(client: pg.Client): Promise<{ name: string; checksum: string }[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('${MADE_BY_MIGRATIONS}') is not null as there`,
  )
  if (!found[0]?.there) return []
  return (
    await client.query<{ name: string; checksum: string }>(
      `select name, checksum from ${MADE_BY_MIGRATIONS} order by name`,
    )
  ).rows
}
