import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import type { Connection } from '../database'
import { StartError } from '../startError'
import { type Binaries, findBinaries, installedMajor } from './binaries'
import { askedToWait, explainFailure, inUse } from './failures'
import { type ClusterLock, lockCluster } from './lock'
import { canReach, databaseOwner, type Owner } from './owner'
import { findRunning, removeStalePid, stopRunning } from './running'
import { openServerLog, type ServerLogFile } from './serverLog'
import { announceStarter, starterLives } from './starter'

export interface Cluster {
  connection: Connection
  /** DATABASE_URL for other processes on this machine; it stays the same after a restart of the cluster */
  url: string
  /** called when the server ends without having been stopped */
  onLost: (listener: (reason: string) => void) => void
  /** Stops the server: running statements are rolled back, everything acknowledged is on disk. */
  stop: () => Promise<void>
}

export interface ClusterOptions {
  /** the installation's data folder; the cluster is in its folder `postgres` */
  folder: string
  /** shown once to the operator */
  notice?: (text: string) => void
  /** off only for tests, whose data is disposable */
  durable?: boolean
  maxConnections?: number
}

const USER = 'parley'
/** Prefix of a folder in which a cluster is being created, beside its place. */
export const PARTIAL_CLUSTER = '.postgres-'
const PORT = 5432
/** Used when root starts Parley in a folder that `nobody` can't access. */
const SHARED_FOLDER = '/var/lib/parley'
/** the longest path of a socket, in bytes */
const LONGEST_SOCKET = 107
const START_TIMEOUT = 60_000
const STOP_TIMEOUT = 4_000

/**
 * Starts the embedded PostgreSQL on a private Unix socket, and creates its data folder on the first start. A server
 * left running by a killed Parley is stopped first.
 * @throws StartError if the folder is used by another Parley, can't be written, or the disk is full
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const owner = databaseOwner()
  const data = await clusterFolder(options, owner)
  const binaries = await findBinaries(owner, SHARED_FOLDER)
  if (existsSync(join(data, 'PG_VERSION'))) await refuseOtherMajor(data)
  else await initialise(binaries, data, owner, options.durable ?? true)
  await stopOrphan(data)

  const socket = await makeSocketFolder(owner)
  const connection: Connection = { host: socket, port: PORT, user: USER, database: USER }
  const withdraw = await announceStarter(socket)
  const log = await openServerLog(`${data}.log`)
  const child = await spawnServer(binaries, data, socket, owner, options, log)
  const clearAway = async () => {
    log.close()
    await withdraw()
    await rm(socket, { recursive: true, force: true })
  }
  let lock: ClusterLock | undefined
  let door = socket
  try {
    await untilReady(child, connection, data, log.read)
    lock = await lockCluster({ ...connection, database: 'postgres' }, data)
    await makeDatabase(connection)
    await removePartials(dirname(data))
    door = await linkSocket(socket, dirname(data))
  } catch (error) {
    await lock?.release()
    await stopChild(child)
    await clearAway()
    throw error
  }
  let stopping = false
  const held = lock
  return {
    connection,
    url: `postgresql://${USER}@localhost:${PORT}/${USER}?host=${encodeURIComponent(door)}`,
    onLost: (listener) => {
      child.once('exit', async () => stopping || listener(explainFailure(await log.read(), data).message))
    },
    stop: async () => {
      stopping = true
      await held.release()
      await stopChild(child)
      await clearAway()
    },
  }
}

/**
 * Makes an installation's data folder if need be.
 * @returns where its cluster belongs: within it, unless the account that runs PostgreSQL can't reach it
 * @throws StartError if it can't be written
 */
export async function clusterFolder(
  { folder, notice }: Pick<ClusterOptions, 'folder' | 'notice'>,
  owner: Owner | null,
): Promise<string> {
  const wanted = resolve(folder)
  await makeFolder(wanted)
  if (!owner || (await canReach(wanted, owner))) return join(wanted, 'postgres')
  const chosen = join(SHARED_FOLDER, wanted.replaceAll('/', '-').slice(1))
  await makeFolder(chosen)
  notice?.(`PostgreSQL may not run as root, and another account can't reach ${wanted}: its data is kept in ${chosen}`)
  return join(chosen, 'postgres')
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 })
    await rm(await mkdtemp(join(path, '.write-')), { recursive: true })
  } catch (error) {
    throw folderError(error, path)
  }
}

function folderError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC') return new StartError(`The disk that holds ${path} is full: free some space and start again`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartError(
      `The data folder ${path} can't be written: change its owner, or set DATA_DIR to another folder`,
    )
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(`The data folder ${path} is a file: set DATA_DIR to a folder`)
  }
  return error
}

/** A data folder serves one major version alone. @throws StartError that says how its content comes to this one */
async function refuseOtherMajor(data: string): Promise<void> {
  const [own, installed] = [(await readFile(join(data, 'PG_VERSION'), 'utf8')).trim(), String(await installedMajor())]
  // an empty file is for PostgreSQL to complain about
  if (own === installed || own === '') return
  throw new StartError(
    `The data in ${data} is of PostgreSQL ${own}, and this Parley has ${installed}. Take it along: with the Parley that you had, ` +
      'npx parley data export <folder>; then with this one and another DATA_DIR, npx parley data import <folder>',
  )
}

/**
 * Runs initdb in a temporary folder and renames that: neither an aborted start nor two at once leave an incomplete
 * cluster.
 */
async function initialise(binaries: Binaries, data: string, owner: Owner | null, durable: boolean): Promise<void> {
  const partial = await mkdtemp(join(dirname(data), PARTIAL_CLUSTER))
  try {
    if (owner) await chown(partial, owner.uid, owner.gid)
    const args = ['-D', partial, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
    if (!durable) args.push('--no-sync')
    const { code, text } = await runToEnd(binaries.initdb, args, owner)
    // a faster start has created the data, and may have removed this
    if (existsSync(join(data, 'PG_VERSION'))) return
    if (code !== 0) throw explainFailure(text, data)
    await rename(partial, data).catch((error) => {
      if (!existsSync(join(data, 'PG_VERSION'))) throw folderError(error, data)
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/**
 * The holder of the cluster's lock removes folders of aborted starts. One that can't be removed (its initdb is still
 * writing) stays until the next start.
 */
async function removePartials(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PARTIAL_CLUSTER))
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, maxRetries: 5 }).catch(() => {})))
}

async function runToEnd(
  command: string,
  args: string[],
  owner: Owner | null,
): Promise<{ code: number | null; text: string }> {
  const child = spawn(command, args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], env: serverEnv() })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, text }))
  })
}

async function stopOrphan(data: string): Promise<void> {
  const running = await findRunning(data)
  if (!running) return
  // its lock may be released for a moment: a crashed backend ends all connections
  if (await starterLives(running.socket)) throw inUse(data)
  if (running.alive) {
    const connection = { host: running.socket, port: running.port, user: USER, database: 'postgres' }
    const lock = await lockCluster(connection, data)
    await stopRunning(running, STOP_TIMEOUT, () => lock.release())
  }
  await removeStalePid(data, running)
}

async function makeSocketFolder(owner: Owner | null): Promise<string> {
  // A socket's path has at most 107 bytes, and some systems' temporary folders are long or private.
  const base = Buffer.byteLength(tmpdir()) < 70 && (!owner || (await canReach(tmpdir(), owner))) ? tmpdir() : '/tmp'
  const folder = await mkdtemp(join(base, 'parley-pg-'))
  if (owner) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** The socket's folder changes at each start. This link, unless its path is too long, leads to the present one. */
async function linkSocket(socket: string, folder: string): Promise<string> {
  const link = join(folder, 'socket')
  if (Buffer.byteLength(join(link, `.s.PGSQL.${PORT}`)) > LONGEST_SOCKET) return socket
  const fresh = `${link}-${process.pid}`
  try {
    await rm(fresh, { force: true })
    await symlink(socket, fresh)
    await rename(fresh, link)
    return link
  } catch {
    // not every file system has symbolic links
    return socket
  }
}

async function spawnServer(
  binaries: Binaries,
  data: string,
  socket: string,
  owner: Owner | null,
  { durable = true, maxConnections = 60 }: ClusterOptions,
  log: ServerLogFile,
): Promise<ChildProcess> {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    max_connections: maxConnections,
    shared_buffers: '64MB',
    log_checkpoints: 'off',
    // µs that a commit waits for others, to flush all of them at once; only while five transactions are under way
    commit_delay: 500,
    // of a process that stands still or can't be reached: consumers of events wait for all open transactions
    idle_in_transaction_session_timeout: '5min',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = ['-D', data, '-p', String(PORT)]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)
  try {
    // Its own process group: Ctrl-C in a terminal must reach only Parley, which drains before it stops the database.
    const stdio = ['ignore', log.fd, log.fd] as const
    const child = spawn(binaries.postgres, args, {
      ...owner,
      cwd: '/',
      detached: true,
      env: serverEnv(),
      stdio: [...stdio],
    })
    child.on('error', () => {})
    return child
  } finally {
    await log.release()
  }
}

/** Only essential variables of the environment: PGPORT and others would change the server. */
function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }
}

async function untilReady(
  child: ChildProcess,
  connection: Connection,
  data: string,
  output: () => Promise<string>,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined && Date.now() < deadline) {
    const client = new pg.Client({ ...connection, database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (!askedToWait(error)) throw error
      await new Promise((done) => setTimeout(done, 20))
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw explainFailure(await output(), data)
}

async function makeDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [USER])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${USER}`)
  } finally {
    await client.end()
  }
}

/**
 * SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one, which recovers from the write-ahead log at the next
 * start.
 */
async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT)
  await ended
  clearTimeout(timer)
}
