import { z } from 'zod'
import { isTimeZone } from '../../engine/values/date'
import { clashOf, type Hours } from '../../engine/values/openHours'

/** Minutes of a day, 0 to 1440. */
const minute = z.int().min(0).max(1_440)
const hours = z
  .array(z.strictObject({ from: minute, to: minute }))
  .max(6, 'At most 6 a day')
  .superRefine((day, { addIssue }) => {
    const clash = clashOf(day)
    if (clash === null) return
    const { from, to } = day[clash] as Hours
    const message = to <= from ? 'Must end after it begins' : 'Overlaps with other hours of this day'
    addIssue({ code: 'custom', path: [clash], message })
  })

/** The hours of a week in a time zone, and days that are otherwise: `OpenHours` of the engine, as it is sent. */
export const openHours = {
  time_zone: z.string().max(64).refine(isTimeZone, 'Choose a time zone').default('UTC'),
  /** Monday first */
  week: z.array(hours).length(7).default([[], [], [], [], [], [], []]),
  /** days that are otherwise, such as holidays; no hours: closed all day */
  exceptions: z
    .array(z.strictObject({ date: z.iso.date('Enter a date'), hours }))
    .max(100, 'At most 100 exceptions')
    .superRefine((days, { addIssue }) => {
      const twice = days.findIndex(({ date }, index) => days.some((other, at) => at < index && other.date === date))
      if (twice >= 0) addIssue({ code: 'custom', path: [twice, 'date'], message: 'This day is there already' })
    })
    .default([]),
}
