import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { readLiveness, readMetrics, readReadiness } from '../../contracts/probes'
import { ApiError } from '../errors'

const EVERY = 1_000
const RESOLUTION = 10
/** Mean delay over a second, in ms, above which calls are refused. */
const MOST_DELAY = 5_000

/** What is asked for when the server does badly. */
const PROBES: readonly unknown[] = [readLiveness, readReadiness, readMetrics]

/**
 * Refuses calls with `overloaded` while the event loop is delayed by seconds, except probes and metrics. Measured by
 * perf_hooks only: reading memory usage opens a file, and throws in a timer if no descriptor is left, which ends the
 * process.
 * @param mostDelay milliseconds; with `histogram` for tests
 */
export function refuseWhenOverloaded(
  app: FastifyInstance,
  mostDelay = MOST_DELAY,
  histogram: Pick<IntervalHistogram, 'enable' | 'disable' | 'reset' | 'mean'> = monitorEventLoopDelay({
    resolution: RESOLUTION,
  }),
): void {
  histogram.enable()
  let delay = 0
  let looked = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const mean = histogram.mean / 1e6 - RESOLUTION
    // no sample since the last measurement: the loop was blocked all that time, which may have been short
    delay = Number.isNaN(mean) ? now - looked : mean
    looked = now
    histogram.reset()
  }, EVERY).unref()
  app.addHook('onRequest', async (request) => {
    const { contract } = request.routeOptions.config
    if (contract && PROBES.some((probe) => probe === contract)) return
    if (delay > mostDelay) throw new ApiError('overloaded')
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
}
