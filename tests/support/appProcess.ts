import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleForNode } from './bundle'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface AppProcess {
  url: string
  /** SIGKILL; resolves when the process has ended */
  kill(): Promise<void>
  /** lets it close normally */
  stop(): Promise<void>
}

/** Bundles crashApp.ts. */
export const bundleApp = () => bundleForNode('tests/support/crashApp.ts')

/** A data folder that PostgreSQL's account can access, even if the tests run as root. */
export async function makeDataFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-app-'))
  await chmod(folder, 0o755)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Starts the app on a free port. Throws with its output if it ends before it listens. */
export async function startApp(entry: string, env: Record<string, string>): Promise<AppProcess> {
  const child = spawn(process.execPath, [entry], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', CHAT_STARTS_PER_MINUTE: '0', CHAT_MESSAGES_PER_MINUTE: '0', ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const exit = once(child, 'exit')
  const url = await Promise.race([
    once(child, 'message').then(([address]) => String(address)),
    exit.then(() => Promise.reject(new Error(`The app ended before it listened: ${said}`))),
  ])
  const end = async (how: (child: ChildProcess) => void) => {
    how(child)
    await exit
  }
  return { url, kill: () => end((app) => app.kill('SIGKILL')), stop: () => end((app) => app.disconnect()) }
}
