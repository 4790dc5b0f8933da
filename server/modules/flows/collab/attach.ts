import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { AS_PARAM, closeCodes, closeReasons, SAVED_PARAM } from '../../../../engine/document/syncProtocol'
import { SESSION_COOKIE } from '../../../access/sessions'
import type { ServerContext } from '../../../platform/context'
import { addressOfUpgrade } from '../../../platform/http/addressOfUpgrade'
import { isChatOrigin } from '../../../platform/http/chatOrigin'
import { type Admission, rightsOf } from './access'
import { serveConnection } from './connection'
import type { Connections } from './connections'
import type { Documents } from './documents'
import { editSessionOf } from './editSession'
import { collabLimits } from './limits'

const GOODBYE_MS = 1_000
const PATH = /^\/collab\/([a-z0-9]{16})$/

/**
 * Serves `/collab/<fid>` on the app's server for y-websocket clients. Unauthorized clients pass the handshake and are
 * closed with a code: browsers hide the reason of a refused handshake from scripts, and the stock client would retry
 * for ever.
 */
export function attachCollab(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  // ws itself closes larger frames; our own, slightly lower limit uses a code that stops the client
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: collabLimits.frameBytes * 2,
    perMessageDeflate: false,
  })
  const { connections } = documents

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    if (!path.startsWith('/collab/')) {
      // another listener may handle it (the development server's hot reload); otherwise nobody does
      if (app.server.listenerCount('upgrade') === 1) refuse(stream, '404 Not Found')
      return
    }
    if (isChatOrigin(context.config, request.headers)) return refuse(stream, '404 Not Found')
    if (!isSameOrigin(request, context.config.publicUrl)) return refuse(stream, '403 Forbidden')
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate())
      context.metrics.sockets.inc()
      socket.once('close', () => context.metrics.sockets.dec())
      // messages before the document is loaded stay unread
      socket.pause()
      const asked = new URLSearchParams(query)
      const fid = PATH.exec(path)?.[1]
      admit(socket, stream, request, { fid, as: asked.get(AS_PARAM), tellSaved: asked.has(SAVED_PARAM) })
        .catch((error: unknown) => {
          context.log.error({ err: error }, 'a socket could not be served')
          return closeCodes.tryLater
        })
        .then((refusal) => {
          socket.resume()
          if (refusal) socket.close(refusal, closeReasons[refusal])
        })
    })
  }

  /** Serves the socket, or returns the code to close it with. */
  async function admit(
    socket: WebSocket,
    stream: Duplex,
    request: IncomingMessage,
    { fid, as, tellSaved }: { fid: string | undefined; as: string | null; tellSaved: boolean },
  ): Promise<number | null> {
    const token = app.parseCookie(request.headers.cookie ?? '')[SESSION_COOKIE]
    if (!token) return closeCodes.loggedOut
    if (!fid) return closeCodes.gone
    const address = addressOfUpgrade(request, context.config)
    const askRights = () => rightsOf(context, token, fid, address)
    const asOf = connections.rechecks()
    const rights = await askRights()
    if ('refused' in rights) return closeCodes[rights.refused]
    if (as !== null && as !== rights.person.id) return closeCodes.loggedOut
    const { room, leave } = await documents.rooms.enter(rights.flow)
    const full = capOf(connections, rights)
    if (socket.readyState !== socket.OPEN || full) {
      leave()
      return full
    }
    const { clock } = context
    const session = editSessionOf(room)
    const served = { socket, stream, room, session, connections, rights, asOf, askRights, clock, tellSaved }
    serveConnection({ ...served, onClose: leave })
    return null
  }

  app.server.on('upgrade', onUpgrade)
  app.addHook('preClose', async () => {
    app.server.off('upgrade', onUpgrade)
    await documents.rooms.close()
    for (const socket of sockets.clients) socket.close(closeCodes.tryLater, closeReasons[closeCodes.tryLater])
    sockets.close()
    // a client that does not answer the close frame must not delay the server's stop
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, GOODBYE_MS).unref()
  })
}

function capOf(connections: Connections, { userId, flow }: Admission): number | null {
  if (connections.countIn(flow) >= collabLimits.connectionsPerDocument) return closeCodes.flowFull
  return connections.countOf(userId) >= collabLimits.connectionsPerUser ? closeCodes.tooManyTabs : null
}

/**
 * Browsers always send the origin of a socket's page; programs that don't are harmless, since they have nobody else's
 * cookie.
 */
function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  if (headers.origin === undefined) return true
  if (!URL.canParse(headers.origin)) return false
  // a proxy may replace the Host header
  const { host, origin } = new URL(headers.origin)
  return host === headers.host || origin === new URL(publicUrl).origin
}

function refuse(stream: Duplex, status: string) {
  // Node has removed its own listener, and a refused client may have disconnected: its error must not end the process
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
