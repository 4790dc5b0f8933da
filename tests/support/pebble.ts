import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { Agent, request } from 'undici'
import { selfSigned } from '../../server/modules/domains/acme/requests'

const pebblePath = () => process.env.PEBBLE_PATH || '/usr/bin/pebble'

export interface TestDns {
  /** as `DNS_SERVERS` has it */
  server: string
  /** the name's one TXT record; null: none */
  setText(name: string, value: string | null): Promise<void>
  /** has a name lead to this machine, or nowhere */
  lead(name: string, here: boolean): Promise<void>
  close(): Promise<void>
}

/** The DNS server that comes with Pebble: every name is unknown to it that it was not told of. */
export async function startTestDns(): Promise<TestDns> {
  const [dns, management] = [await settledPort(), await settledPort()]
  const none = ['-defaultIPv4', '', '-defaultIPv6', '', '-http01', '', '-https01', '', '-tlsalpn01', '']
  const child = await start(
    join(dirname(pebblePath()), 'pebble-challtestsrv'),
    [...none, '-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${management}`],
    management,
  )
  const tell = async (path: string, body: object) => {
    const { statusCode, body: answer } = await request(`http://127.0.0.1:${management}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    await answer.dump()
    if (statusCode !== 200) throw new Error(`The DNS server refused ${path}: ${statusCode}`)
  }
  return {
    server: `127.0.0.1:${dns}`,
    async setText(name, value) {
      const host = `${name}.`
      await tell('/clear-txt', { host })
      if (value !== null) await tell('/set-txt', { host, value })
    },
    async lead(name, here) {
      if (here) await tell('/add-a', { host: name, addresses: ['127.0.0.1'] })
      else await tell('/clear-a', { host: name })
    },
    close: () => end(child),
  }
}

export interface Pebble {
  directory: string
  /** what its address and its certificates are trusted by */
  ca: string
  close(): Promise<void>
}

export interface PebbleOptions {
  dns: TestDns
  /** where it looks at hosts */
  httpPort: number
  tlsPort: number
  /** the share of nonces that it refuses, in percent */
  nonceReject?: number
  /** an account elsewhere that accounts have to belong to */
  eab?: { kid: string; hmac: string }
}

/** Debian's Pebble, or what PEBBLE_PATH names: a certificate authority for tests, whose own certificates are new each time. */
export async function startPebble({ dns, httpPort, tlsPort, nonceReject = 25, eab }: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pebble-'))
  const [port, management] = [await settledPort(), await settledPort()]
  const own = selfSigned('localhost', {
    from: new Date(Date.now() - 86_400_000),
    to: new Date(Date.now() + 86_400_000),
  })
  const path = (name: string) => join(folder, name)
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: path('cert.pem'),
    privateKey: path('key.pem'),
    httpPort,
    tlsPort,
    externalAccountBindingRequired: eab !== undefined,
    ...(eab && { externalAccountMACKeys: { [eab.kid]: eab.hmac } }),
  }
  await writeFile(path('cert.pem'), own.cert)
  await writeFile(path('key.pem'), own.key)
  await writeFile(path('config.json'), JSON.stringify({ pebble: config }))
  const child = await start(pebblePath(), ['-config', path('config.json'), '-dnsserver', dns.server], port, {
    PEBBLE_VA_NOSLEEP: '1',
    PEBBLE_WFE_NONCEREJECT: String(nonceReject),
    PEBBLE_AUTHZREUSE: '0',
  })
  const close = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const agent = new Agent({ connect: { ca: [...rootCertificates, own.cert] } })
    const root = await request(`https://localhost:${management}/roots/0`, { dispatcher: agent })
    const ca = `${own.cert}\n${await root.body.text()}`
    await agent.close()
    return { directory: `https://localhost:${port}/dir`, ca, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * A port that was free a moment ago, below those that the system gives to connections and to whoever listens at any: nobody gets it
 * meanwhile, however long it takes until somebody listens.
 */
export async function settledPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((done) => probe.close(done))
    if (free) return port
  }
}

/** Resolves once it listens. */
async function start(program: string, args: string[], port: number, env: Record<string, string> = {}) {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const ended = Promise.race([
    once(child, 'exit').then(() => Promise.reject(new Error(`${program} ended before it listened`))),
    once(child, 'error').then(([error]) => Promise.reject(error)),
  ])
  await Promise.race([untilListening(port), ended])
  ended.catch(() => {})
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
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
  throw new Error('The server did not start')
}
