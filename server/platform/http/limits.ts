import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Installation } from '../installation'
import { redisOptions } from '../redisOptions'
import { type Allowance, createAttempts, tooMany } from './attempts'
import { createPlaces, createSharedPlaces, type Places } from './places'

/** Rate limits by key, shared by all processes of an installation if there is a Redis. */
export interface SharedAttempts {
  /**
   * Counts one attempt, or several. Throws ApiError `too_many_requests` if the key's window has no room; Redis counts
   * refused ones too, which prolongs nothing.
   */
  take(key: string, count?: number): Promise<Allowance>
  /** Takes one attempt back: it was not a failure. */
  forgive(key: string): Promise<void>
}

export interface Limits {
  /**
   * At most `most` attempts per key within `windowMs`, which starts with its first attempt. The same name shares one
   * count.
   * @param most Infinity: no limit
   */
  attempts(name: string, most: number, windowMs?: number): SharedAttempts
  /** Places of a window that slides, for calls elsewhere. The same name shares them, whatever its window is then. */
  places(name: string, windowMs: number): Places
  close(): void
}

const NO_LIMIT: Allowance = { left: Number.POSITIVE_INFINITY, resetsIn: 0 }

/** A slower Redis counts as unavailable, in ms. */
const PATIENCE = 500

/** The limits of a process: counted by Redis, or only in this process if there is none or it does not answer. */
export function createLimits({
  config,
  db,
  clock,
  log,
}: Pick<Installation, 'config' | 'db' | 'clock' | 'log'>): Limits {
  const known = new Map<string, SharedAttempts>()
  const knownPlaces = new Map<string, Places>()
  const redis =
    config.redisUrl === null ? null : new Redis(config.redisUrl, { ...redisOptions, commandTimeout: PATIENCE })
  redis?.on('error', (error) => log.debug({ err: error }, 'limits are counted by this process alone'))
  let naming: Promise<string> | null = null
  /** others may use the same Redis */
  function installationName(): Promise<string> {
    const row = () => db.selectFrom('installation').select('bus_name').executeTakeFirstOrThrow()
    naming ??= row().then(
      ({ bus_name }) => bus_name,
      (error: unknown) => {
        naming = null
        throw error
      },
    )
    return naming
  }

  function create(name: string, most: number, windowMs: number): SharedAttempts {
    if (most === Number.POSITIVE_INFINITY) return { take: async () => NO_LIMIT, forgive: async () => {} }
    const own = createAttempts(clock, most, windowMs)
    if (!redis) return { take: async (key, count) => own.take(key, count), forgive: async (key) => own.forgive(key) }
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: 'limit',
      points: most,
      duration: windowMs / 1_000,
      rejectIfRedisNotReady: true,
    })
    const keyOf = async (key: string) => `${await installationName()}:${name}:${key}`
    return {
      async take(key, count = 1) {
        try {
          const { remainingPoints, msBeforeNext } = await limiter.consume(await keyOf(key), count)
          return { left: remainingPoints, resetsIn: msBeforeNext }
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) throw tooMany(refusal.msBeforeNext)
          return own.take(key, count)
        }
      },
      async forgive(key) {
        own.forgive(key)
        await limiter.reward(await keyOf(key), 1).catch(() => {})
      },
    }
  }

  function createPlacesOf(name: string, windowMs: number): Places {
    const own = createPlaces(clock, windowMs)
    const shared = redis && createSharedPlaces(redis, windowMs)
    return {
      async enter(key, most, wanted) {
        try {
          if (shared) return await shared.enter(`places:${await installationName()}:${name}:${key}`, most, wanted)
        } catch (error) {
          log.debug({ err: error }, 'places are counted by this process alone')
        }
        return own.enter(key, most, wanted)
      },
    }
  }

  return {
    attempts(name, most, windowMs = 60_000) {
      const present = known.get(name)
      if (present) return present
      const made = create(name, most, windowMs)
      known.set(name, made)
      return made
    },
    places(name, windowMs) {
      const present = knownPlaces.get(name) ?? createPlacesOf(name, windowMs)
      knownPlaces.set(name, present)
      return present
    },
    close: () => redis?.disconnect(),
  }
}
