import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long keep-alive connections are still served, with `connection: close`, before idle ones are closed. */
const LAST_CALLS = 1_000
/** How long responses in progress may continue before their connections are closed. */
const GRACE = 500
/** How long a call may still run before its connection is cut. */
const LIMIT = 3_000

const draining = new WeakSet<FastifyInstance>()

/** @returns whether this server is stopping */
export const isDraining = (app: FastifyInstance): boolean => draining.has(app)

/**
 * Makes `app.close()` end in bounded time without losing a call: new connections are refused, existing ones are served
 * until each got `connection: close`; endless streams (events, sockets) are ended after a moment; the rest is cut.
 * Plain `close()` ends connections on which a call is just arriving, and waits for streams.
 */
export function drainOnClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const answers = new Set<ServerResponse>()

  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // On the server itself, and first: hooks would miss routes registered earlier.
  app.server.prependListener('request', (_, answer) => {
    if (isDraining(app)) answer.setHeader('connection', 'close')
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })

  /** Connections that may still bring a call: all whose last response has not begun. */
  const awaited = () => {
    const streaming = new Set<Socket | null>()
    for (const answer of answers) if (answer.headersSent) streaming.add(answer.socket)
    return [...sockets].filter((socket) => !streaming.has(socket) && !isUpgraded(socket))
  }

  app.addHook('preClose', async () => {
    draining.add(app)
    for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close')
    stopListening(app)
    setTimeout(() => {
      for (const answer of answers) {
        if (!answer.headersSent) continue
        answer.end()
        answer.socket?.destroySoon()
      }
    }, GRACE).unref()
    setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, LIMIT).unref()
    await untilNone(awaited, LAST_CALLS)
  })
}

/** The HTTP server's own `close` would end idle connections on which a call may be arriving. */
function stopListening(app: FastifyInstance): void {
  if (app.server.listening) Server.prototype.close.call(app.server)
}

/** A WebSocket: its connection no longer belongs to the HTTP server. */
const isUpgraded = (socket: Socket & { parser?: unknown }): boolean => !socket.parser

/** Polls often: it is cheap and avoids waiting longer than necessary. */
async function untilNone(left: () => readonly unknown[], limit: number): Promise<void> {
  const until = performance.now() + limit
  while (left().length > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 10))
}
