import type { Resync } from '../../../contracts/sources'

const DAY = 24 * 60 * 60 * 1000
const every: Record<Exclude<Resync, 'never'>, number> = { daily: DAY, weekly: 7 * DAY, monthly: 30 * DAY }

/** When a source is synced automatically, from now on; null: never. */
export const nextResync = (resync: Resync, now: Date): Date | null =>
  resync === 'never' ? null : new Date(now.getTime() + every[resync])
