import i18next from 'i18next'

export interface TimeLeft {
  isOver: boolean
  /** until then, or since then */
  ms: number
}

export function timeLeft(at: string, now: number): TimeLeft {
  const ms = Date.parse(at) - now
  return { isOver: ms < 0, ms: Math.abs(ms) }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Whole minutes that have begun; from two hours on hours, from two days on days. */
export function formatTime({ ms }: Pick<TimeLeft, 'ms'>): string {
  const [unit, count] =
    ms < 2 * HOUR
      ? (['minute', Math.ceil(ms / MINUTE)] as const)
      : ms < 2 * DAY
        ? (['hour', Math.floor(ms / HOUR)] as const)
        : (['day', Math.floor(ms / DAY)] as const)
  return new Intl.NumberFormat(i18next.language, { style: 'unit', unit, unitDisplay: 'short' }).format(count)
}
