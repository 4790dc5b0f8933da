import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { refuseWhenOverloaded } from './overload'

test.each([
  [0, 200],
  [4_999, 200],
  [5_001, 503],
])('while the event loop is %d ms late on the average, a call gets a %d', async (late, status) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const app = Fastify()
  // the time between two samples, in ns, which are 10 ms apart when it is idle
  const histogram = { enable: () => true, disable: () => true, reset() {}, mean: (10 + late) * 1e6 }
  try {
    refuseWhenOverloaded(app, undefined, histogram)
    app.setErrorHandler((error, _, reply) => reply.status((error as { status?: number }).status ?? 500).send())
    app.get('/', async () => '')
    vi.advanceTimersByTime(1_000)
    expect((await app.inject('/')).statusCode).toBe(status)
  } finally {
    vi.useRealTimers()
    await app.close()
  }
})
