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
  const folder = await mkdtemp(join(tmpdir(), 'parley-app-'))
  await chmod(folder, 0o755)
  const child = spawn(process.execPath, [join(root, program)], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', ...env },
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
    ownerLink: await prints(/owner's account: (\S+)\n/),
    async stop() {
      child.kill('SIGINT')
      const [code] = await exit
      await rm(folder, { recursive: true, force: true })
      return code
    },
  }
}
