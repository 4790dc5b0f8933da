import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type SecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { acmeChallenge, reachToken } from '../../../contracts/domains'
import type { Config } from '../../../platform/config/config'
import { plainHost } from '../hostname'
import type { Hosts } from '../hosts'
import type { Contexts } from './contexts'

export interface Listeners {
  /** Starts listening. @returns the servers. @throws errors of listening, with `port` */
  open(app: FastifyInstance): Promise<Server[]>
  /** Takes no new connections and closes idle ones. */
  stop(): void
  /** Closes the remaining connections. */
  close(): void
}

const HEADERS_TIMEOUT = 15_000
const REQUEST_TIMEOUT = 5 * 60_000
/** The ALPN name of tls-alpn-01 in a ClientHello, with its length before it (RFC 8737, 4). */
const ACME_PROTOCOL = 'acme-tls/1'
const ASKS_FOR_CHALLENGE = Buffer.from(`\u000a${ACME_PROTOCOL}`, 'latin1')
/** The length of a TLS record's header, and the most bytes that may follow (RFC 8446, 5.1). */
const RECORD_HEAD = 5
const MOST_GREETING = RECORD_HEAD + 16_384

const wellKnown = [acmeChallenge, reachToken].map(({ path }) => path.replace(/:\w+$/, ''))

/**
 * The ports for chatbots' custom hosts if Parley terminates TLS itself. Requests to other hosts get 404; plain HTTP is
 * redirected to HTTPS, except for the paths of certificate authorities and Parley's own checks.
 */
export function createListeners({ host, domains }: Config, hosts: Hosts, contexts: Contexts): Listeners {
  const sockets = new Set<Socket>()
  const servers: Server[] = []

  async function open(app: FastifyInstance): Promise<Server[]> {
    const limits = { headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT }
    // passes requests to the application's own server, so that a stop waits for them as for all others
    const pass = (request: IncomingMessage, answer: ServerResponse) => void app.server.emit('request', request, answer)
    const plain = createServer(limits, (request, answer) => {
      if (wellKnown.some((prefix) => request.url?.startsWith(prefix))) return pass(request, answer)
      answering(answer, async () => {
        const found = await hosts.find(request.headers.host)
        if (!found?.serves) return refuse(answer)
        const port = domains.reach ? `:${domains.reach.https}` : ''
        answer.writeHead(308, { location: `https://${found.hostname}${port}${request.url}` }).end()
      })
    })
    const secure = createHttpsServer(
      { ...limits, SNICallback: chooseBy(contexts.of), minVersion: 'TLSv1.2' },
      (request, answer) =>
        answering(answer, async () => {
          if (await hosts.find(request.headers.host)) pass(request, answer)
          else refuse(answer)
        }),
    )
    const challenges = createTlsServer({
      SNICallback: chooseBy(contexts.challengeOf),
      ALPNProtocols: [ACME_PROTOCOL],
    }).on('secureConnection', (socket) => socket.end())
    for (const server of [secure, challenges]) server.on('tlsClientError', (_, socket) => socket.destroy())
    // the certificate depends on a part of the ClientHello that Node.js parses after choosing it
    const front = createNetServer({ pauseOnConnect: false }, (socket) =>
      greet(socket, (greeting) => {
        const server = greeting.includes(ASKS_FOR_CHALLENGE) ? challenges : secure
        server.emit('connection', socket)
      }),
    )
    for (const server of [plain, front])
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    await listen(plain, host, domains.httpPort)
    servers.push(plain)
    await listen(front, host, domains.httpsPort)
    servers.push(front)
    return servers
  }

  return {
    open,
    stop() {
      for (const server of servers) server.close()
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * Reads the first record that a client sends, puts it back, and passes it on. Closes the connection if none arrives in
 * time.
 */
function greet(socket: Socket, then: (greeting: Buffer) => void): void {
  socket.setTimeout(HEADERS_TIMEOUT, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  let read = Buffer.alloc(0)
  const look = () => {
    for (;;) {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      read = Buffer.concat([read, chunk])
      const whole = read.length >= RECORD_HEAD && read.length >= RECORD_HEAD + read.readUInt16BE(3)
      if (!whole && read.length < MOST_GREETING) continue
      socket.off('readable', look)
      socket.setTimeout(0)
      socket.unshift(read)
      then(read)
      return
    }
  }
  socket.on('readable', look)
}

/** Chooses the certificate of the host that the client names; refuses unknown hosts. */
function chooseBy(find: (hostname: string) => Promise<SecureContext | null>) {
  return (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
    find(plainHost(name)).then(
      (context) => (context ? done(null, context) : done(new Error('no certificate for this host'))),
      (error: Error) => done(error),
    )
  }
}

function answering(answer: ServerResponse, work: () => Promise<void>): void {
  work().catch(() => {
    if (!answer.headersSent) answer.writeHead(503, { 'retry-after': '5' })
    answer.end()
  })
}

const refuse = (answer: ServerResponse): void => {
  answer.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('This page could not be found')
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { port })))
    server.listen(port, host, resolve)
  })
}
