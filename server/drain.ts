import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long answers that have begun may still flow before their connections are ended. */
const GRACE = 500
/** How long a call may still work before its connection is cut. */
const LIMIT = 3_000

/**
 * Makes `app.close()` end in bounded time: calls that are at work are answered, with `connection: close`; streams that never end by
 * themselves (events, sockets) are ended after a moment; what is left is cut. Plain `close()` waits for them.
 */
export function drainOnClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const answers = new Set<ServerResponse>()
  let closing = false

  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // On the server itself, and first: hooks would miss the routes that are registered already.
  app.server.prependListener('request', (_, answer) => {
    if (closing) answer.setHeader('connection', 'close')
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close')
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
  })
}
