import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { streamUpdates } from './streamUpdates'

test('who left before the stream began is not listened for', async () => {
  let listeners = 0
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const call = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on('error', () => {})
  const [, raw] = await once(server, 'request')
  call.destroy()
  await once(raw, 'close')
  await streamUpdates({
    reply: { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply,
    after: 0,
    read: async (last) => ({ last, data: null }),
    subscribe() {
      listeners++
      return () => listeners--
    },
  })
  expect(listeners).toBe(0)
  server.close()
})
