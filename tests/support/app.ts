import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { root } from '../../server/cli/sources.mjs'
import { freePort } from './databaseUrl'

export interface BuiltApp {
  url: string
  /** makes the owner's account; printed on a first start */
  ownerLink: string
  /** Ctrl-C; gives its exit code once it has stopped and its data is gone: 0 unless it had to be cut */
  stop: () => Promise<number | null>
}

/** Starts what `npm start` starts, on a free port over an empty data folder. Throws with what it said when it ends too early. */
export function startBuiltApp(env: Record<string, string> = {}): Promise<BuiltApp> {
  ensureBuilt()
  return run('build/server/main.js', env)
}

/** Starts what `npm run dev` starts, likewise. */
export const startDevApp = async (): Promise<BuiltApp> => run('server/cli/dev.mjs', { PORT: String(await freePort()) })

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

/** What `npm start` prints for the owner of a new installation. */
export const OWNER_LINK = /owner's account: (\S+)\n/

/** A folder that PostgreSQL's own account can reach, also when the tests run as root. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-app-'))
  await chmod(folder, 0o755)
  return folder
}

export interface RunningApp {
  url: string
  /** what it said, or says, that fits the first group of a pattern */
  prints: (pattern: RegExp) => Promise<string>
  /** gives its exit code once it is gone; null for one that was killed */
  end: (signal: 'SIGINT' | 'SIGKILL') => Promise<number | null>
}

/** Starts the built app as one of several processes: DATA_DIR and what else there is between them come from `env`. */
export function startProcess(env: Record<string, string>): Promise<RunningApp> {
  ensureBuilt()
  return spawnApp('build/server/main.js', env)
}

async function spawnApp(program: string, env: Record<string, string>): Promise<RunningApp> {
  const child = spawn(process.execPath, [join(root, program)], {
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
      if (child.exitCode !== null) throw new Error(`The app ended before it printed ${pattern}: ${said}`)
      await Promise.race([once(child, 'said'), exit])
    }
  }
  return {
    url: await prints(/Parley runs at (\S+)\n/),
    prints,
    async end(signal) {
      child.kill(signal)
      const [code] = await exit
      return code
    },
  }
}
