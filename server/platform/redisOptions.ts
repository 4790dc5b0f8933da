import type { RedisOptions } from 'ioredis'
import { createBackoff } from './backoff'

/**
 * What all connections to Redis have in common. Whoever gives a command can do without Redis, and learns at once that
 * it is away; each connection comes back by itself, at times of its own.
 */
export const redisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 5_000,
  family: 0,
  retryStrategy: createBackoff({ firstMs: 200, longestMs: 2_000, jitter: 0.25 }),
} satisfies RedisOptions
