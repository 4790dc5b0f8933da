/** Minutes of a day as a field of a time has them; the end of a day is its beginning. */
export const timeOf = (minute: number): string =>
  `${String(Math.floor((minute % 1_440) / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** What a field of a time holds, in minutes; null while it is not filled in. */
export function minuteOf(time: string): number | null {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time) ?? []
  return hour === undefined ? null : Number(hour) * 60 + Number(minute)
}
