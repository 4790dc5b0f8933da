import type { FastifyReply } from 'fastify'

/**
 * Begins an answer of server-sent events. All its headers at once, as a list: Node keeps those that were set one by one
 * as long as the answer lasts, 2 KB of each page that is open.
 */
export function beginEvents(reply: FastifyReply): void {
  const { raw } = reply
  const headers: Record<string, number | string | string[] | undefined> = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  raw.writeHead(
    200,
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  )
  raw.flushHeaders()
  reply.server.metrics.countStream(raw)
}
