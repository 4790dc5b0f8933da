// The built app as benches measure it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../server/cli/sources.mjs'

/** A module of the sources. */
export const load = async (file) => (await runnerImport(file)).module

/** The built app over a folder of its own, with a look at its event loop. @param env beside what benches set */
export async function startApp(folder, env = {}) {
  const child = spawn(
    process.execPath,
    [
      // where CPU profiles of its threads are written when it ends
      ...(process.env.PARLEY_BENCH_PROFILE
        ? ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${process.env.PARLEY_BENCH_PROFILE}`]
        : []),
      ...['--import', join(root, 'tests/bench/neighboursGap.mjs'), join(root, 'build/parley/server/main.js')],
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: '0',
        DATA_DIR: folder,
        REGISTRATION: 'open',
        LOG_LEVEL: 'fatal',
        OUTBOUND_ALLOW: '127.0.0.1',
        // those who call come from addresses of this machine, and are no proxies
        TRUST_PROXY: '0',
        CHAT_STARTS_PER_MINUTE: '0',
        CHAT_MESSAGES_PER_MINUTE: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  let said = ''
  const heard = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const [, found] = pattern.exec(said) ?? []
        if (found) resolve(found)
      }
      child.stdout.setEncoding('utf8').on('data', look)
      child.once('exit', () => reject(new Error(`The app ended: ${said}`)))
      look()
    })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const url = await heard(/Parley runs at (\S+)\n/)
  const ownerLink = await heard(/owner's account: (\S+)\n/)
  return {
    url,
    ownerLink,
    pid: child.pid,
    longestGap: () =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send('gap')
      }),
    stop() {
      child.kill('SIGINT')
      return new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** Somebody with an account and a project of their own. */
export async function joinAs(baseUrl, link) {
  const { createClient } = await load(join(root, 'tests/support/client.ts'))
  const client = await createClient(baseUrl)
  const setup_token = link ? new URL(link).searchParams.get('setup_token') : undefined
  const answer = await client.send('POST', '/api/auth/register', {
    first_name: 'Ada',
    last_name: 'Person',
    email: `person-${randomUUID()}@example.com`,
    password: 'correct horse battery',
    ...(setup_token && { setup_token }),
  })
  if (!answer.body.success) throw new Error(`Nobody could register: ${answer.text}`)
  return client
}
