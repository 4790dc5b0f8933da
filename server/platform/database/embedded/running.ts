import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../startError'

/** The content of a cluster's postmaster.pid, and whether a server really belongs to it. */
export interface Running {
  pid: number
  socket: string
  port: number
  alive: boolean
}

const STARTING_TIMEOUT = 15_000
/**
 * The pid of a file without one: after a full disk or power cut it may be empty or garbled. PostgreSQL refuses to start
 * then.
 */
const NOBODY = 0

/**
 * Reads postmaster.pid and tries its socket. If the process with that pid isn't PostgreSQL, the file is stale; a
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

/** Ends an orphaned server; `prepare` runs just before the signal. @throws StartError if it doesn't end in time */
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

/**
 * Removes what a dead server left: its pid file (PostgreSQL believes in a pid that is in use again) and its socket's
 * folder.
 */
export async function removeStalePid(data: string, { pid, socket }: Running): Promise<void> {
  if (basename(socket).startsWith('parley-pg-')) await rm(socket, { recursive: true, force: true })
  // A pid that is not in use is left to PostgreSQL, which also checks that no worker of that server is alive.
  if (pid === NOBODY || (exists(pid) && (await readPid(data))?.pid === pid)) {
    await rm(join(data, 'postmaster.pid'), { force: true })
  }
}

async function readPid(data: string): Promise<Omit<Running, 'alive'> | null> {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return null
  const [pid = '', , , port = '', socket = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  // the number is negative for a server that one of PostgreSQL's tools runs
  if (!/^-?[1-9]\d*$/.test(pid))
    return { pid: (await processOn(data)) ?? NOBODY, port: 5432, socket: await lastSocket(data) }
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
  const command = existsSync(CMDLINE)
    ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    : await ps(['-o', 'command=', '-p', String(pid)])
  return command.includes('postgres') && command.includes(data)
}

/** Finds the server of this data folder among all processes; null if there is none. Its backends name no folder. */
async function processOn(data: string): Promise<number | null> {
  if (!existsSync(CMDLINE)) {
    const line = (await ps(['-axo', 'pid=,command='])).split('\n').find((text) => text.includes(` -D ${data} `))
    return line ? Number.parseInt(line, 10) : null
  }
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('postgres') && command.includes(`\0-D\0${data}\0`)) return Number(pid)
  }
  return null
}

const CMDLINE = '/proc/self/cmdline'
const ps = (args: string[]) =>
  promisify(execFile)('ps', args).then(
    (result) => result.stdout,
    () => '',
  )

/** The socket folder of the last server on this data; '' if no link names it. */
const lastSocket = (data: string) => readlink(join(dirname(data), 'socket')).catch(() => '')

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
