import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { root } from '../../server/cli/sources.mjs'
import { createTestDatabase } from './database'
import { freePort } from './databaseUrl'

export interface BuiltApp {
  url: string
  /** creates the owner's account; printed on a first start */
  ownerLink: string
  /** Ctrl-C; resolves with its exit code when it has stopped and its data is deleted: 0 unless it was killed */
  stop: () => Promise<number | null>
}

/**
 * Starts what `npm start` starts, on a free port with an empty data folder. Its database is one of the run's embedded
 * server, migrated already: a server of its own takes as long again. Throws with its output if it ends too early.
 */
export async function startBuiltApp(env: Record<string, string> = {}): Promise<BuiltApp> {
  const database = await createTestDatabase()
  const dropped = async <Result>(result: Result) => {
    await database.close()
    return result
  }
  try {
    const app = await startInstallation({ DATABASE_URL: database.url, ...env })
    return { ...app, stop: () => app.stop().then(dropped) }
  } catch (error) {
    throw await dropped(error)
  }
}

/** Starts it with a database server of its own, as a first start does. */
export function startInstallation(env: Record<string, string> = {}): Promise<BuiltApp> {
  ensureBuilt()
  return run('build/parley/server/main.js', env)
}

/** Starts what `npm run dev` starts, likewise. */
export const startDevApp = async (): Promise<BuiltApp> => run('server/cli/dev.mjs', { PORT: String(await freePort()) })

/** Starts what `npm start -- --sandbox` starts: Parley on data of its own, and stand-ins of the vendors. */
export async function startSandboxApp(env: Record<string, string> = {}): Promise<BuiltApp & { vendors: string }> {
  ensureBuilt()
  const folder = await makeFolder()
  // stand-ins tell a port that is known before it is open
  const PORT = String(await freePort())
  const app = await spawnApp('build/parley/server/main.js', { DATA_DIR: join(folder, 'data'), PORT, ...env }, [
    '--sandbox',
  ])
  return {
    ...{ url: app.url, ownerLink: await app.prints(OWNER_LINK), vendors: await app.prints(VENDORS) },
    async stop() {
      const code = await app.end('SIGINT')
      await rm(folder, { recursive: true, force: true })
      return code
    },
  }
}

/** Where a sandbox says that its vendors are seen. */
const VENDORS = /see what they hold at (\S+)\n/

async function run(program: string, env: Record<string, string>): Promise<BuiltApp> {
  const folder = await makeFolder()
  const app = await spawnApp(program, { DATA_DIR: folder, ...env })
  return {
    url: app.url,
    ownerLink: await app.prints(OWNER_LINK),
    async stop() {
      const code = await app.end('SIGINT')
      await rm(folder, { recursive: true, force: true })
      return code
    },
  }
}

/** The output of `npm start` for the owner of a new installation. */
export const OWNER_LINK = /owner's account: (\S+)\n/

/** A folder that PostgreSQL's account can access, even if the tests run as root. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-app-'))
  await chmod(folder, 0o755)
  return folder
}

export interface RunningApp {
  url: string
  pid: number
  /** resolves with the first group of the pattern, once the output matches */
  prints: (pattern: RegExp) => Promise<string>
  /** resolves with its exit code when it has ended; null if it was killed */
  end: (signal: 'SIGINT' | 'SIGKILL') => Promise<number | null>
}

/** Starts the built app as one of several processes: DATA_DIR and the other shared settings come from `env`. */
export function startProcess(env: Record<string, string>): Promise<RunningApp> {
  ensureBuilt()
  return spawnApp('build/parley/server/main.js', env)
}

async function spawnApp(
  program: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<RunningApp> {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      child.emit('said')
    })
  const exit = once(child, 'close')
  const prints = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec(said) ?? []
      if (found) return found
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The app ended before it printed ${pattern}: ${said}`)
      await Promise.race([once(child, 'said'), exit])
    }
  }
  return {
    url: await prints(/Parley runs at (\S+)\n/),
    pid: child.pid ?? 0,
    prints,
    async end(signal) {
      child.kill(signal)
      const [code] = await exit
      return code
    },
  }
}
