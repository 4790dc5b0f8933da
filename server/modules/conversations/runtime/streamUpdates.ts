import type { FastifyReply } from 'fastify'
import type { Draft } from '../../../contracts/chat'
import { ApiError } from '../../../platform/errors'
import { beginEvents } from '../../../platform/http/beginEvents'
import { createHeartbeats } from '../../../platform/http/createHeartbeats'

/** The most streams of one conversation: a visitor's tabs and devices. */
export const MOST_STREAMS = 10
/** The most streams of one address, over all conversations. */
export const MOST_STREAMS_OF_ADDRESS = 500
/** The time a browser waits before it reopens a stream that was closed for a newer one. */
const GIVEN_WAY_MS = 30_000
/** The most unread bytes of a listener: beyond it, its stream is closed; it gets them when it connects again. */
const MOST_UNREAD = 1_000_000

interface Stream {
  reply: FastifyReply
  /** the client's IP address, as limits count it */
  address: string
  /** the conversation's key; all streams of a conversation share one read for each update */
  conversation: string
  /** the last sequence number that the listener has */
  after: number
  /** reads the state, with messages after a sequence number; `last` is the number to continue from */
  read: (after: number) => Promise<{ last: number; data: unknown }>
  /** calls back when there is something new: a turn without messages may ask another question */
  subscribe: (listener: () => unknown, onDraft: (draft: Draft) => unknown) => () => void
}

interface Listener {
  reply: FastifyReply
  last: number
  /** it connected since the last read, or there was an update since */
  waits: boolean
}

/** The listeners of one conversation, the oldest first. */
interface Audience {
  listeners: Set<Listener>
  reading: boolean
  unsubscribe: () => void
}

/** Opens streams of updates for one kind of conversations: all listeners of the same conversation get the same data. */
export type OpenStream = (stream: Stream) => Promise<void>

/**
 * Answers with server-sent events `update`, each with the sequence number as its id, until the listener disconnects.
 * Missed updates are read from the database, so that a gap (a lost connection, a lost notification) is filled by the
 * next read. Between them `draft`, for a message that is still being written. README.md tells what happens to more
 * streams than a conversation may have.
 */
export function createStreams(): OpenStream {
  const audiences = new Map<string, Audience>()
  const ofAddress = new Map<string, number>()
  const heartbeats = createHeartbeats()

  return async ({ reply, address, conversation, after, read, subscribe }) => {
    const open = ofAddress.get(address) ?? 0
    if (open >= MOST_STREAMS_OF_ADDRESS) throw new ApiError('too_many_requests')
    reply.hijack()
    const { raw } = reply
    // a client that disconnected before the stream began emits no further event
    if (raw.destroyed) return
    ofAddress.set(address, open + 1)
    beginEvents(reply)

    const listener: Listener = { reply, last: after, waits: true }
    const audience = audiences.get(conversation) ?? gather()
    audience.listeners.add(listener)
    giveWay(audience)
    heartbeats.keepAlive(raw)
    raw.on('close', () => {
      leave(listener)
      const left = (ofAddress.get(address) ?? 1) - 1
      if (left > 0) ofAddress.set(address, left)
      else ofAddress.delete(address)
    })
    await tell(audience)

    function gather(): Audience {
      const made: Audience = { listeners: new Set(), reading: false, unsubscribe: () => {} }
      audiences.set(conversation, made)
      made.unsubscribe = subscribe(
        () => {
          for (const each of made.listeners) each.waits = true
          return tell(made)
        },
        (draft) => {
          const event = `event: draft\ndata: ${JSON.stringify(draft)}\n\n`
          // a slow listener skips this one and gets the next
          for (const { reply } of made.listeners) if (canTake(reply)) reply.raw.write(event)
        },
      )
      return made
    }

    function leave(gone: Listener): void {
      audience.listeners.delete(gone)
      if (audience.listeners.size > 0 || audiences.get(conversation) !== audience) return
      audiences.delete(conversation)
      audience.unsubscribe()
    }

    /** Closes the oldest streams: with a bad connection those are dead, and the newest is the one that is displayed. */
    function giveWay({ listeners }: Audience): void {
      for (const oldest of listeners) {
        if (listeners.size <= MOST_STREAMS) return
        listeners.delete(oldest)
        oldest.reply.raw.end(`retry: ${GIVEN_WAY_MS}\n\n`)
      }
    }

    /** Reads once for all listeners in the same state, until none waits. */
    async function tell({ listeners }: Audience): Promise<void> {
      if (audience.reading) return
      audience.reading = true
      try {
        for (;;) {
          const [first, ...others] = [...listeners].filter(({ waits }) => waits)
          if (!first) return
          const together = [first, ...others.filter(({ last }) => last === first.last)]
          for (const each of together) each.waits = false
          await read(first.last).then(
            ({ last, data }) => {
              const event = `id: ${last}\nevent: update\ndata: ${JSON.stringify(data)}\n\n`
              for (const each of together) send(each, last, event)
            },
            (error) => {
              // the browser reconnects by itself and sends the last number it has
              reply.log.warn({ err: error }, 'event streams were ended')
              for (const each of together) each.reply.raw.end()
            },
          )
        }
      } finally {
        audience.reading = false
      }
    }
  }
}

function send(listener: Listener, last: number, event: string): void {
  const { raw } = listener.reply
  if (raw.writableEnded) return
  if (raw.writableLength > MOST_UNREAD) return void raw.destroy()
  listener.last = last
  raw.write(event)
}

const canTake = ({ raw }: FastifyReply) => !raw.writableEnded && !raw.writableNeedDrain
