import { setTimeout as pause } from 'node:timers/promises'

/** ms of processor time below which growth can't be told from noise, and harms nobody. */
const FLOOR = 30
/** Twice the input takes at most this many times as long, in two doublings running: 2 for what is linear, some 2.2 for n log n, 4 for the square. */
const MOST = 2.8
/** Measurements of what looks bad before it is called so. */
const ROUNDS = 8
const PAUSE = 100
/** What part of the longest text each text is, one after the other. */
const PARTS = process.env.FULL ? [64, 32, 16, 8, 4, 2, 1] : [16, 8, 4, 2, 1]

export interface Growth {
  length: number
  /** ms of processor time */
  took: number
  /** by what it is multiplied when the input is doubled, in the better one of the last two doublings */
  factor: number
}

/**
 * Runs work on texts of growing length, from `least` to `most`, each twice as long as the one before, and gives the first growth that is worse than n log n;
 * null where there is none. Short texts come first, so that what grows with the square is found before it takes long, and no longer
 * one comes once it would take too little even if time grew with the cube. Processor time is counted, not the clock, and of several
 * measurements the shortest, so that what else the machine does has no say.
 */
export async function worstGrowth(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  { least = 0, most }: { least?: number; most: number },
): Promise<Growth | null> {
  const lengths = PARTS.map((part) => Math.ceil(most / part)).filter((length) => length >= least)
  const times: number[] = []
  for (const [at, length] of lengths.entries()) {
    times.push(await timeOf(work, textOf(length)))
    if ((times[at] ?? 0) * (most / length) ** 3 < FLOOR) return null
    if ((times[at] ?? 0) < FLOOR || at < 2) continue
    // what is measured first pays for what is compiled and loaded then
    for (let round = 0; round < ROUNDS && isBad(times, at); round++) {
      // what other tests of this process left to be done is done, and not counted here
      await pause(PAUSE)
      for (const again of [at, at - 1, at - 2])
        times[again] = Math.min(times[again] ?? 0, await timeOf(work, textOf(lengths[again] ?? 1)))
    }
    if (isBad(times, at)) return { length, took: times[at] ?? 0, factor: factorAt(times, at) }
  }
  return null
}

const isBad = (times: readonly number[], at: number): boolean => (times[at] ?? 0) >= FLOOR && factorAt(times, at) > MOST

/** One step that costs more is no law of growth: memory that is full, a collector that comes. */
const factorAt = (times: readonly number[], at: number): number =>
  Math.min(ratio(times[at], times[at - 1]), ratio(times[at - 1], times[at - 2]))

const ratio = (time = 0, before = 0): number => time / Math.max(before, 0.05)

async function timeOf(work: (text: string) => unknown, text: string): Promise<number> {
  const before = process.cpuUsage()
  await work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
