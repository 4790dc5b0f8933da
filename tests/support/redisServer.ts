import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './databaseUrl'

export interface RedisServer {
  url: string
  /** kills it; all clients are disconnected */
  stop(): Promise<void>
  /** starts it again at the same address, empty */
  start(): Promise<void>
  /** suspends its process: connections stay open and silent; `false` resumes it */
  freeze(frozen: boolean): void
  close(): Promise<void>
}

/** Debian's redis-server, or REDIS_SERVER_PATH, on a free port in a temporary folder. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  const port = await freePort()
  let child: ChildProcess | null = null

  async function start() {
    const program = process.env.REDIS_SERVER_PATH || '/usr/bin/redis-server'
    const settings = [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'no',
    ]
    child = spawn(program, settings, { stdio: 'ignore' })
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('Redis ended before it listened')))
    await Promise.race([untilListening(port), ended])
    ended.catch(() => {})
  }
  async function stop() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: (frozen) => void child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const listens = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (listens) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('Redis did not start')
}
