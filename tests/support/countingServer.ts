import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Counted {
  key: string
  text: string
  /** the second call of its turn */
  again: boolean
  request: string
  /** the answer, a number never given before */
  answer: number
  /** of the app that called */
  process: string
}

/** An external service that records each call in order of arrival. `onCall` is called before the answer is sent. */
export async function startCountingServer(onCall: () => void) {
  const calls: Counted[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The app was killed during the call: it does not count.
      return
    }
    const body = Buffer.concat(chunks).toString()
    const { text, again = false } = JSON.parse(body) as { text: string; again?: boolean }
    const key = String(request.headers['idempotency-key'])
    calls.push({ key, text, again, request: body, answer: calls.length, process: String(request.headers['x-process']) })
    onCall()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(calls.length - 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
