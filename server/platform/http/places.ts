import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Places that were taken, at least one; or in how many ms one may be free at the earliest. */
export type Entered = { leaves: (() => void)[] } | { waitMs: number }

/**
 * Places in a window that slides: who calls somewhere takes one, and it is free again a window after the call was
 * answered. The other side counted the call at some time until then, so whoever gets a place is not one too many there.
 */
export interface Places {
  /** @param most how many there are in all @param wanted how many are taken at once at most */
  enter(key: string, most: number, wanted: number): Promise<Entered>
}

/** How long a place is kept, besides its window, by who never leaves it: its process ended, in ms. */
const HELD = 30_000
/** Keys of this process before those are forgotten that hold no place. */
const MANY_KEYS = 10_000

/** Places that one process counts. */
export function createPlaces(clock: () => Date, windowMs: number) {
  const held = new Map<string, Set<{ until: number }>>()

  function placesOf(key: string, now: number): Set<{ until: number }> {
    if (held.size > MANY_KEYS) for (const [other, places] of held) if (isFree(places, now)) held.delete(other)
    const places = held.get(key) ?? new Set()
    held.set(key, places)
    return places
  }

  return {
    enter(key: string, most: number, wanted: number): Entered {
      const now = clock().getTime()
      const places = placesOf(key, now)
      for (const place of places) if (place.until <= now) places.delete(place)
      const leaves: (() => void)[] = []
      while (places.size < most && leaves.length < wanted) {
        const place = { until: now + windowMs + HELD }
        places.add(place)
        leaves.push(() => {
          place.until = clock().getTime() + windowMs
        })
      }
      if (leaves.length > 0) return { leaves }
      // a place that was not left yet is free a window from now at the earliest
      const first = Math.min(...Array.from(places, ({ until }) => until))
      return { waitMs: Math.min(first - now, windowMs) }
    },
  }
}

const isFree = (places: ReadonlySet<{ until: number }>, now: number): boolean => {
  for (const { until } of places) if (until > now) return false
  return true
}

/** The time is the Redis’s: those of several machines differ. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`
const ENTER = `${NOW}
local most, window, held = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local taken = math.min(most - redis.call('ZCARD', KEYS[1]), tonumber(ARGV[4]))
if taken > 0 then
  for n = 1, taken do redis.call('ZADD', KEYS[1], now + window + held, ARGV[5] .. n) end
  redis.call('PEXPIRE', KEYS[1], window + held)
  return -taken
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return math.max(1, math.min(tonumber(first[2]) - now, window))`
const LEAVE = `${NOW}
redis.call('ZADD', KEYS[1], 'XX', now + tonumber(ARGV[1]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[1]) + tonumber(ARGV[3]))`

/** Places that all processes count together. `enter` throws what Redis throws. */
export function createSharedPlaces(redis: Redis, windowMs: number): Places {
  return {
    async enter(key: string, most: number, wanted: number): Promise<Entered> {
      const call = randomUUID()
      const answer = Number(await redis.eval(ENTER, 1, key, most, windowMs, HELD, wanted, call))
      if (answer > 0) return { waitMs: answer }
      const leave = (place: string) => () => {
        // what is not noted is free after HELD
        redis.eval(LEAVE, 1, key, windowMs, place, HELD).catch(() => {})
      }
      return { leaves: Array.from({ length: -answer }, (_, at) => leave(`${call}${at + 1}`)) }
    },
  }
}
