import type { FastifyReply } from 'fastify'
import type { Draft } from '../api/chat/contract'

const HEARTBEAT_MS = 25_000

interface Stream {
  reply: FastifyReply
  /** the last sequence number that the listener has */
  after: number
  /** how it stands, with what was said since a sequence number; `last` is what to go on from */
  read: (after: number) => Promise<{ last: number; data: unknown }>
  /** calls back when there is something new: a turn that said nothing may ask another question */
  subscribe: (listener: () => unknown, onDraft: (draft: Draft) => unknown) => () => void
}

/**
 * Server-sent events `update`, each with the sequence number as its id, until the listener leaves. What it missed is read from the
 * database, so a gap (a lost connection, a lost notification) is filled by the next read. Between them `draft`, for what is being written.
 */
export async function streamUpdates({ reply, after, read, subscribe }: Stream): Promise<void> {
  reply.hijack()
  const { raw } = reply
  // who left before the stream began is not heard leaving again
  if (raw.destroyed) return
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()

  let last = after
  let reading = false
  let again = false
  async function push(): Promise<void> {
    if (reading) {
      again = true
      return
    }
    reading = true
    try {
      do {
        again = false
        const news = await read(last)
        if (!raw.writableEnded) {
          last = news.last
          raw.write(`id: ${news.last}\nevent: update\ndata: ${JSON.stringify(news.data)}\n\n`)
        }
      } while (again && !raw.writableEnded)
    } catch (error) {
      // The browser connects again by itself and says what it has.
      reply.log.warn({ err: error }, 'an event stream was ended')
      raw.end()
    } finally {
      reading = false
    }
  }

  const unsubscribe = subscribe(push, (draft) => {
    // a listener that is slow gets the next one
    if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(`event: draft\ndata: ${JSON.stringify(draft)}\n\n`)
  })
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  raw.on('close', () => {
    clearInterval(heartbeat)
    unsubscribe()
  })
  await push()
}
