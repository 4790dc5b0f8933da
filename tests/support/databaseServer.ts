import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Connection } from '../../server/platform/database/database'
import { startCluster } from '../../server/platform/database/embedded/cluster'
import { migrate } from '../../server/platform/database/migrate'

/** One embedded server for the whole run, with a migrated template database that tests clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `parley-test-${process.pid}-`))
  await chmod(folder, 0o755)
  const cluster = await startCluster({ folder, durable: false, maxConnections: 300 })
  const stop = async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  // Tests without a database run even if a migration is broken; the others report it.
  const failure = await endForgottenTransactions(cluster.connection)
    .then(() => makeTemplate(cluster.connection))
    .then(() => null, String)
  project.provide('databaseServer', { connection: cluster.connection, url: cluster.url, failure })
  return stop
}

/** Less than a test may take. */
const FORGOTTEN = "'100s'"

/**
 * A test that failed may leave a transaction open, or waiting for a lock that it held. Consumers of events wait for all
 * transactions of the server, whatever their database: all tests of events would wait with them.
 */
async function endForgottenTransactions(server: Connection): Promise<void> {
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`ALTER SYSTEM SET idle_in_transaction_session_timeout = ${FORGOTTEN}`)
  await admin.query(`ALTER SYSTEM SET lock_timeout = ${FORGOTTEN}`)
  await admin.query('SELECT pg_reload_conf()')
  await admin.end()
}

async function makeTemplate(server: Connection): Promise<void> {
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query('CREATE DATABASE parley_template')
  await admin.end()
  await migrate({ ...server, database: 'parley_template' })
  const template = new pg.Client({ ...server, database: 'parley_template' })
  await template.connect()
  // ids differ, so that code that confuses a conversation with its run finds nothing
  await template.query('ALTER SEQUENCE runs_id_seq RESTART WITH 5000001')
  await template.end()
}

/** A killed run leaves its server: starting and stopping on its folder ends that. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = /^parley-test-(\d+)-/.exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const folder = join(tmpdir(), name)
    await startCluster({ folder, durable: false }).then(
      (cluster) => cluster.stop(),
      () => {},
    )
    // another run may remove it at the same time
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
