import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { refuseWhenOverloaded } from './overload'

let app: FastifyInstance
afterEach(() => app.close())

/**
 * Starts an app that blocks the event loop past the first measurement of its delay; returns a function that calls it.
 */
async function startBusy(mostDelay?: number): Promise<() => Promise<number>> {
  app = Fastify()
  refuseWhenOverloaded(app, mostDelay)
  const until = performance.now() + 1_100
  while (performance.now() < until);
  app.setErrorHandler((error, _, reply) => reply.status((error as { status?: number }).status ?? 500).send())
  app.get('/', async () => '')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return async () => (await fetch(url)).status
}

test('a start that holds the loop for a second refuses nobody', async () => {
  const call = await startBusy()
  expect(await call()).toBe(200)
})

test('calls are refused after the loop was held for longer than it may, until it no longer is', async () => {
  const call = await startBusy(500)
  expect(await call()).toBe(503)
  await expect.poll(call).toBe(200)
})
