/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Connection } from './database'
import { protectProjects } from './projectRole'
import { StartError } from './startError'

/** Bundled, so that a built server contains its migrations. */
const sources: Record<string, string> = import.meta.glob('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export interface Migration {
  name: string
  sql: string
}

export const migrations: Migration[] = Object.entries(sources)
  .map(([path, sql]) => ({ name: path.slice(path.lastIndexOf('/') + 1, -'.sql'.length), sql }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Any number that nothing else in Parley locks. */
const MIGRATION_LOCK = 7_027_701

/**
 * Runs the migrations that this database lacks, sorted by name, each in its own transaction; an advisory lock makes
 * other starting processes wait.
 * @returns the names of those that ran
 * @throws StartError if an applied migration has changed, or is unknown (the data is from a newer Parley)
 */
export async function migrate(connection: Connection, list: readonly Migration[] = migrations): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations ' +
        '(name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const pending = withoutApplied(list, (await client.query(`SELECT name, checksum FROM schema_migrations`)).rows)
    for (const migration of pending) await run(client, migration)
    if (list === migrations) await protectProjects(client)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

function withoutApplied(list: readonly Migration[], applied: { name: string; checksum: string }[]): Migration[] {
  const known = new Map(list.map((migration) => [migration.name, checksum(migration)]))
  for (const { name, checksum } of applied) {
    if (!known.has(name)) {
      throw new StartError(`The database was made by a newer Parley (it has migration ${name}): start that version`)
    }
    if (known.get(name) !== checksum) {
      throw new StartError(
        `Migration ${name} has changed after it ran on this database: restore it, and write a new one`,
      )
    }
  }
  const done = new Set(applied.map((row) => row.name))
  return list.filter((migration) => !done.has(migration.name))
}

async function run(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      checksum(migration),
    ])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
