import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { refuseWhenOverloaded } from './overload'

/** what is measured of the event loop, in ns: its time between two samples, which are 10 ms apart when it is idle */
const measured = vi.hoisted(() => ({ mean: 0 }))
vi.mock('node:perf_hooks', async (original) => ({
  ...(await original<typeof import('node:perf_hooks')>()),
  monitorEventLoopDelay: () => ({
    enable() {},
    disable() {},
    reset() {},
    get mean() {
      return measured.mean
    },
  }),
}))

test.each([
  [0, 200],
  [4_999, 200],
  [5_001, 503],
])('while the event loop is %d ms late on the average, a call gets a %d', async (late, status) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const app = Fastify()
  try {
    refuseWhenOverloaded(app)
    app.setErrorHandler((error, _, reply) => reply.status((error as { status?: number }).status ?? 500).send())
    app.get('/', async () => '')
    measured.mean = (10 + late) * 1e6
    vi.advanceTimersByTime(1_000)
    expect((await app.inject('/')).statusCode).toBe(status)
  } finally {
    vi.useRealTimers()
    await app.close()
  }
})
