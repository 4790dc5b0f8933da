// @y/websocket-server 0.1.1 as its own server.js sets it up: no rights, no limits, no storage.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WebSocketServer } from 'ws'

const from = createRequire(join(import.meta.dirname, '../peers/package.json'))
const load = (name) => import(pathToFileURL(from.resolve(name)))
const { docs, setupWSConnection } = await load('@y/websocket-server/utils')
const Y = await load('yjs')

const server = createServer()
const sockets = new WebSocketServer({ noServer: true })
server.on('upgrade', (request, stream, head) =>
  sockets.handleUpgrade(request, stream, head, (socket) => setupWSConnection(socket, request)),
)
server.listen(0, '127.0.0.1', () => {
  const url = `ws://127.0.0.1:${server.address().port}`
  process.send({ url, rooms: Array.from({ length: 208 }, (_, n) => `room${n}`), cookies: [''], large: null })
})

const asks = {
  memory() {
    global.gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  },
  cpu: () => process.cpuUsage(),
  stored: (room) => ({ stored: null, document: Y.encodeStateAsUpdate(docs.get(room)).length }),
  evicted: () => null,
}
process.on('message', async ({ id, ask, of }) => process.send({ id, answer: await asks[ask](of) }))
process.on('disconnect', () => process.exit())
