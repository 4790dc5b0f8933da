import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { selfSigned } from '../../server/modules/domains/acme/requests'

/** What every address outside this machine answers: flows show images from elsewhere. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="270"><rect width="480" height="270" fill="#8fa3bf"/></svg>'

let port: Promise<number> | null = null

/**
 * A proxy that stands for the rest of the web: a picture is at each of its addresses, by HTTP and HTTPS. Browsers ask it for whatever is not
 * on this machine; to intercept their requests instead would switch their cache off, and doubles the work of every page.
 *
 * @returns the port on 127.0.0.1, the same for all browsers of this process, which it outlives nowhere
 */
export const restOfWeb = (): Promise<number> => {
  port ??= open()
  return port
}

function open(): Promise<number> {
  const proxy = createServer((_, answer) =>
    answer.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' }).end(PICTURE),
  )
  const now = Date.now()
  const day = 86_400_000
  // for any host: browsers of tests do not ask who signed it
  const secureContext = createSecureContext(
    selfSigned('elsewhere.test', { from: new Date(now - day), to: new Date(now + 30 * day) }),
  )
  proxy.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (!(socket instanceof Socket)) return
    const inner = new TLSSocket(socket, { isServer: true, secureContext })
    inner.on('error', () => inner.destroy())
    proxy.emit('connection', inner)
  })
  // it keeps no process from ending
  proxy.unref()
  return new Promise((done) => proxy.listen(0, '127.0.0.1', () => done((proxy.address() as AddressInfo).port)))
}
