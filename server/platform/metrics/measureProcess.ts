import { collectDefaultMetrics } from 'prom-client'
import type { Metrics } from './createMetrics'

/**
 * Adds what Node tells of the process: memory, processor time, delay of the event loop, garbage collection, open files.
 * Only the program does so: what it starts is never stopped, and tests have many servers in one process.
 */
export function measureProcess({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry })
}
