import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { type DateMode, dateModes, isTimeZone, parseDate } from '../../engine/values/date'
import {
  type DynamicValue,
  dynamicValueSchema,
  dynamicValueToString,
  dynamicValueVariables,
  staticValue,
} from '../../engine/values/dynamicValue'

/** Most characters of a limit: a date with time, seconds and offset has 25; ours. */
export const LIMIT_CAP = 40

export const dateInputSchema = z
  .strictObject({
    ...inputFields,
    mode: z.enum(dateModes),
    /** a start and an end, in order */
    range: z.boolean(),
    /** the earliest and the latest date: ISO 8601, `today` or `now`; empty: none */
    min: dynamicValueSchema(LIMIT_CAP),
    max: dynamicValueSchema(LIMIT_CAP),
    /** the time zone of answers; null: the visitor's own */
    timeZone: z.string().refine(isTimeZone, 'Choose a time zone').nullable(),
  })
  .superRefine(({ mode, min, max }, context) => {
    const limits = { min: fixedLimit(min), max: fixedLimit(max) }
    for (const [field, text] of Object.entries(limits))
      if (text && !isLimitWord(text, mode) && parseDate(text, mode) === null)
        context.addIssue({ code: 'custom', path: [field], message: dateMessage(mode) })
    const [from, to] = [parseDate(limits.min, mode), parseDate(limits.max, mode)]
    if (from && to && from > to)
      context.addIssue({ code: 'custom', path: ['max'], message: 'Must not be before the earliest' })
  })
export type DateInputData = z.infer<typeof dateInputSchema>
export const dateInputDefaults = (): DateInputData => ({
  ...inputDefaults(''),
  mode: 'date',
  range: false,
  min: staticValue(''),
  max: staticValue(''),
  timeZone: null,
})

/** A relative limit; not available for times. */
export const isLimitWord = (text: string, mode: DateMode): boolean =>
  mode !== 'time' && (text === 'today' || text === 'now')

const examples: Record<DateMode, readonly [what: string, from: string, to: string]> = {
  date: ['a date', '2026-11-21', '2026-11-28'],
  time: ['a time', '09:30', '17:00'],
  'date-time': ['a date and a time', '2026-11-21T09:30', '2026-11-21T17:00'],
}

/** The message for an invalid date: the expected format. */
export function dateMessage(mode: DateMode, range = false): string {
  const [what, from, to] = examples[mode]
  return range ? `Enter from and to as ${from}/${to}` : `Enter ${what} such as ${from}`
}

/** The text of a limit without variables; empty if it has some, which are validated after rendering. */
const fixedLimit = (value: DynamicValue): string =>
  dynamicValueVariables(value).length > 0 ? '' : dynamicValueToString(value, () => '').trim()
