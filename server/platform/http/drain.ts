import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long connections that browsers and proxies keep are served on, with `connection: close`, before idle ones are ended. */
const LAST_CALLS = 1_000
/** How long answers that have begun may still flow before their connections are ended. */
const GRACE = 500
/** How long a call may still work before its connection is cut. */
const LIMIT = 3_000

const draining = new WeakSet<FastifyInstance>()

/** @returns whether a stop of this server has begun */
export const isDraining = (app: FastifyInstance): boolean => draining.has(app)

/**
 * Makes `app.close()` end in bounded time without losing a call: nobody new is let in, connections that are there are served on until
 * each has been told `connection: close`; streams that never end by themselves (events, sockets) are ended after a moment; what is left
 * is cut. Plain `close()` ends connections on which a call is just arriving, and waits for streams.
 */
export function drainOnClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const answers = new Set<ServerResponse>()

  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // On the server itself, and first: hooks would miss the routes that are registered already.
  app.server.prependListener('request', (_, answer) => {
    if (isDraining(app)) answer.setHeader('connection', 'close')
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })

  /** Connections that may still bring a call: all but those whose last answer has begun. */
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

/** The HTTP server's own `close` would end idle connections, on which a call may be arriving. */
function stopListening(app: FastifyInstance): void {
  if (app.server.listening) Server.prototype.close.call(app.server)
}

/** A WebSocket: its connection is no longer the HTTP server's. */
const isUpgraded = (socket: Socket & { parser?: unknown }): boolean => !socket.parser

/** Looks often: each look costs nothing, and nobody waits longer than he has to. */
async function untilNone(left: () => readonly unknown[], limit: number): Promise<void> {
  const until = performance.now() + limit
  while (left().length > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 10))
}
