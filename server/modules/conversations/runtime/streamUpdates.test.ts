import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMetrics } from '../../../platform/metrics/createMetrics'
import { createStreams, MOST_STREAMS, MOST_STREAMS_OF_ADDRESS, type OpenStream } from './streamUpdates'

let stream: OpenStream
let server: ReturnType<typeof createServer>
let listeners: (() => unknown)[]
let reads: number[]
/** the sequence number of the newest message */
let newest: number
beforeEach(async () => {
  stream = createStreams()
  listeners = []
  reads = []
  newest = 3
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const metrics = createMetrics()
const replyOf = (raw: unknown) =>
  ({ raw, hijack() {}, getHeaders: () => ({}), server: { metrics } }) as unknown as FastifyReply

/** A browser's stream from a sequence number on; `text` grows as it comes. */
async function listen(after = 0, address = 'one', conversation = 'a') {
  const call = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { agent: false })
  call.on('error', () => {})
  const [, raw] = await once(server, 'request')
  const opened = stream({
    reply: replyOf(raw),
    address,
    conversation,
    after,
    async read(from) {
      reads.push(from)
      return { last: newest, data: { since: from } }
    },
    subscribe(listener) {
      listeners.push(listener)
      return () => listeners.splice(listeners.indexOf(listener), 1)
    },
  })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const heard = { text: '', ended: false, leave: () => call.destroy(), opened, raw }
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    heard.text += chunk
  })
  response.on('end', () => {
    heard.ended = true
  })
  await opened
  return heard
}
const tell = () => Promise.all(listeners.map((listener) => listener()))

test('who left before the stream began is not listened for', async () => {
  const call = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on('error', () => {})
  const [, raw] = await once(server, 'request')
  call.destroy()
  await once(raw, 'close')
  await stream({
    reply: replyOf(raw),
    address: 'one',
    conversation: 'a',
    after: 0,
    read: async (last) => ({ last, data: null }),
    subscribe() {
      listeners.push(() => {})
      return () => listeners.pop()
    },
  })
  expect(listeners).toHaveLength(0)
})

test('all streams of a conversation share one read for each update, and each gets what it misses', async () => {
  const opened = [await listen(0), await listen(2), await listen(0)]
  expect(reads).toEqual([0, 2, 0])
  newest = 4
  await tell()
  // they have the same by now
  expect(reads).toEqual([0, 2, 0, 3])
  await expect.poll(() => opened.map(({ text }) => text.includes('id: 4'))).toEqual([true, true, true])
  expect(opened[1]?.text).toContain('data: {"since":2}')
  expect(listeners).toHaveLength(1)
  for (const each of opened) each.leave()
  await expect.poll(() => listeners.length).toBe(0)
})

test('news that come while a read is under way are read after it', async () => {
  const one = await listen(0)
  const both = Promise.all([tell(), tell()])
  newest = 5
  await both
  await expect.poll(() => one.text.includes('id: 5')).toBe(true)
})

test('a conversation has ten streams: the oldest gives way, and comes back later', async () => {
  const opened: Awaited<ReturnType<typeof listen>>[] = []
  for (let at = 0; at <= MOST_STREAMS; at++) opened.push(await listen())
  await expect.poll(() => opened.map(({ ended }) => ended)).toEqual([true, ...Array(MOST_STREAMS).fill(false)])
  expect(opened[0]?.text).toContain('retry: 30000')
  const other = await listen(0, 'one', 'b')
  expect(other.ended).toBe(false)
})

test('an address has so many over all conversations, and more are refused until one has left', async () => {
  const address = 'crowd'
  const first = await listen(0, address, 'c0')
  for (let at = 1; at < MOST_STREAMS_OF_ADDRESS; at++) await listen(0, address, `c${at}`)
  const more = () =>
    stream({
      reply: replyOf({}),
      address,
      conversation: 'more',
      after: 0,
      read: async (last) => ({ last, data: null }),
      subscribe: () => () => {},
    })
  await expect(more()).rejects.toMatchObject({ code: 'too_many_requests' })
  const gone = once(first.raw, 'close')
  first.leave()
  await gone
  expect((await listen(0, address, 'more')).ended).toBe(false)
})
