import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  bytes: Buffer
}

/**
 * An external server: records its requests, and answers as the test says.
 * @param host two servers on different addresses are two origins
 */
export async function startOutsideServer(
  answer: (request: Received, response: ServerResponse) => unknown,
  host = '127.0.0.1',
) {
  const received: Received[] = []
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = message
    const bytes = Buffer.concat(chunks)
    const request = { method, path: url, headers, body: bytes.toString(), bytes }
    received.push(request)
    await answer(request, response)
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    received,
    /** open connections */
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type OutsideServer = Awaited<ReturnType<typeof startOutsideServer>>
