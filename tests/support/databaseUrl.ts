import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Binaries, findBinaries } from '../../server/platform/database/embedded/binaries'
import { databaseOwner } from '../../server/platform/database/embedded/owner'

export interface DatabaseUrl {
  url: string
  stop: () => Promise<void>
}

/**
 * An external PostgreSQL server: over TCP on 127.0.0.1, with a password.
 * @param given finds the binaries, with a folder that PostgreSQL's account can reach; default: Parley's
 */
export async function startDatabaseServer(
  given: (folder: string) => Promise<Binaries> = (folder) => findBinaries(databaseOwner(), folder),
): Promise<DatabaseUrl> {
  const owner = databaseOwner()
  const folder = await mkdtemp(join(tmpdir(), 'parley-url-'))
  await chmod(folder, 0o755)
  const { initdb, postgres } = await given(folder)
  const password = randomBytes(12).toString('hex')
  const data = join(folder, 'cluster')
  await mkdir(data)
  await writeFile(join(folder, 'password'), password)
  if (owner) await chown(data, owner.uid, owner.gid)
  const port = await freePort()
  const login = ['-U', 'somebody', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  const asOwner = { ...owner, cwd: '/', stdio: 'ignore' } as const
  await ended(spawn(initdb, ['-D', data, '--no-sync', ...login], asOwner))
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off']
  const server = spawn(postgres, ['-D', data, '-p', String(port), ...settings], asOwner)
  const url = `postgresql://somebody:${password}@127.0.0.1:${port}/postgres`
  await untilReady(url)
  const stop = async () => {
    server.kill('SIGINT')
    await ended(server)
    await rm(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((done) => child.once('exit', () => done()))
}

async function untilReady(connectionString: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    const ready = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (ready) return
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error('The second database server did not start')
}

/**
 * Below the range of ephemeral ports, from which systems choose the local port of each connection and of servers that
 * request none.
 */
const PORTS = { first: 12_000, end: 32_000 }

/**
 * @returns a TCP port that was free just now; being outside the ephemeral range, it isn't assigned to anyone before the
 *   caller listens on it, or between a stop and a start
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
