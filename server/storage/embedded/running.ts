import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../startError'

/** What a cluster's postmaster.pid tells, and whether a server really stands behind it. */
export interface Running {
  pid: number
  socket: string
  port: number
  alive: boolean
}

const STARTING_TIMEOUT = 15_000

/**
 * Reads postmaster.pid and tries the socket it names. A process that has the pid but isn't PostgreSQL makes the file a stale one; a
 * PostgreSQL that doesn't answer is starting or stopping, and is waited for.
 */
export async function findRunning(data: string): Promise<Running | null> {
  const deadline = Date.now() + STARTING_TIMEOUT
  for (;;) {
    const noted = await readPid(data)
    if (!noted) return null
    if (await answers(noted)) return { ...noted, alive: true }
    if (!(await isPostgres(noted.pid, data))) return { ...noted, alive: false }
    if (Date.now() > deadline) {
      throw new StartError(
        `PostgreSQL (process ${noted.pid}) holds ${data} and doesn't answer: end that process and start again`,
      )
    }
    await pause()
  }
}

/** Ends an orphan: `prepare` runs just before the signal. @throws StartError when it doesn't end in time */
export async function stopRunning(running: Running, timeout: number, prepare: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + timeout
  process.kill(running.pid, 'SIGINT')
  await prepare()
  while (exists(running.pid)) {
    if (Date.now() > deadline) process.kill(running.pid, 'SIGQUIT')
    if (Date.now() > deadline + timeout) {
      throw new StartError(
        `PostgreSQL (process ${running.pid}) of an earlier start doesn't stop: end it and start again`,
      )
    }
    await pause()
  }
}

/** Removes what a server that is gone left: its pid file (PostgreSQL trusts a pid that is in use again) and its socket's folder. */
export async function removeStalePid(data: string, { pid, socket }: Running): Promise<void> {
  if (basename(socket).startsWith('parley-pg-')) await rm(socket, { recursive: true, force: true })
  // A pid that is free is left to PostgreSQL, which also checks that no worker of that server lives on.
  if (exists(pid) && (await readPid(data))?.pid === pid) await rm(join(data, 'postmaster.pid'), { force: true })
}

async function readPid(data: string): Promise<Omit<Running, 'alive'> | null> {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return null
  const [pid = '', , , port = '', socket = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  return { pid: Number(pid), port: Number(port) || 5432, socket: socket.split(',')[0]?.trim() ?? '' }
}

function answers({ socket, port }: Omit<Running, 'alive'>): Promise<boolean> {
  if (!socket) return Promise.resolve(false)
  return new Promise((done) => {
    const attempt = connect(join(socket, `.s.PGSQL.${port}`))
    attempt.once('connect', () => done(true)).once('error', () => done(false))
    attempt.once('connect', () => attempt.destroy())
  })
}

async function isPostgres(pid: number, data: string): Promise<boolean> {
  if (!exists(pid)) return false
  const command = existsSync('/proc/self/cmdline')
    ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    : await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
        (result) => result.stdout,
        () => '',
      )
  return command.includes('postgres') && command.includes(data)
}

function exists(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 20))
}
